"""`python -m lisa_island`."""

import sys

from lisa_island.cli import main

sys.exit(main())
