"""What tests of faults share."""

from __future__ import annotations

import os

SEED = int(os.environ.get("TEST_SEED", "1"))
