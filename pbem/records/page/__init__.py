"""A finished match as one HTML file that needs no network, shows every step and verifies its own record.

The same page without a match opens any record.
"""

from __future__ import annotations

from pbem.records.page.contents import contents_of
from pbem.records.page.page import policy, replay_page, viewer_page
from pbem.records.page.sources import Source, source_from, source_of

__all__ = ["Source", "contents_of", "policy", "replay_page", "source_from", "source_of", "viewer_page"]
