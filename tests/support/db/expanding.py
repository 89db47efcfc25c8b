"""What tests of expanding share."""

from __future__ import annotations

from pbem.db.upgrade import MIGRATIONS

VERSIONS = sorted((MIGRATIONS / "versions").glob("*.py"))
