"""The digest is the one that everybody has."""

import hashlib

from hypothesis import given
from hypothesis.strategies import binary

from lisa_island.core.digest import hex_digest


@given(binary(max_size=300))
def test_it_is_sha_256(data):
    assert hex_digest(data) == hashlib.sha256(data).hexdigest()
