"""How many examples are tried of what holds for all."""

import os

THOROUGH = bool(os.environ.get("CI"))


def examples(number: int) -> int:
    """Return a number of examples: all where nobody waits (CI=true), a tenth where somebody does, five at the least."""
    return number if THOROUGH else max(number // 10, min(number, 5))
