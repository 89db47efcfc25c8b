"""What tests of scrubbing share."""

from __future__ import annotations

from pbem.telemetry.scrubbing import Scrubber

scrub = Scrubber()
