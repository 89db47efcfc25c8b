"""Numbers in Crockford's base32, as tokens and IDs are written."""

from __future__ import annotations

import base64
from random import Random

import pytest

from pbem.play.core.tokens import ALPHABET, base32

RFC4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@pytest.mark.parametrize("length", range(1, 33))
def test_a_number_has_the_digits_that_the_standard_library_gives_it(length: int) -> None:
    number = Random(length).getrandbits(160)
    written = base64.b32encode(number.to_bytes(20, "big")).decode()
    assert base32(number, length) == written.translate(str.maketrans(RFC4648, ALPHABET))[-length:]
