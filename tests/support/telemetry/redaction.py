"""What tests of scrubbing share."""

from __future__ import annotations

from pbem.telemetry.redaction import Scrubber

scrub = Scrubber()
