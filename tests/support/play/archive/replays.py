"""What tests of replays share."""

from __future__ import annotations

AT = "2026-11-21T05:50:10.123Z"
