"""What tests of scrubbing share."""

from __future__ import annotations

from pbem.telemetry.redaction import Redactor

scrub = Redactor()
