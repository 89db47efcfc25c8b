"""Where the project's files lie, for tests that read them."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
"""Mails, records and positions that tests read."""
PACKAGES = ROOT / "tests" / "packages"
"""Games from outside, as somebody else would install them."""
