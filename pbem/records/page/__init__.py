"""A finished match as one HTML file that needs no network, shows every step and verifies its own record.

The same page without a match opens any record.
"""

from __future__ import annotations

from pbem.records.page.contents import build_contents
from pbem.records.page.page import content_security_policy, replay_page, viewer_page
from pbem.records.page.sources import Source, load_source, source_from_record

__all__ = [
    "Source",
    "build_contents",
    "content_security_policy",
    "load_source",
    "replay_page",
    "source_from_record",
    "viewer_page",
]
