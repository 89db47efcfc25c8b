"""What tests of expanding share."""

from __future__ import annotations

from pbem.db.upgrade import MIGRATIONS_FOLDER

VERSIONS = sorted((MIGRATIONS_FOLDER / "versions").glob("*.py"))
