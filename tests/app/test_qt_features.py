"""Qt for Python keeps no sources of what is imported after it."""

import subprocess
import sys

SCRIPT = """
import linecache
from lisa_island.app.desktop import bare_application
from lisa_island.app.house import House
print([name for name in linecache.cache if name.endswith("house.py")])
"""


def test_no_source_is_read_for_spellings_that_nobody_uses():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
