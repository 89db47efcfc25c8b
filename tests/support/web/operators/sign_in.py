"""What tests of entering share."""

from __future__ import annotations

PAGES = (
    "", "/search?q=ann", "/people", "/people/1", "/matches", "/matches/x", "/submissions", "/submissions/x", "/letters",
    "/letters/1", "/mails", "/mails/1", "/bounces", "/domains", "/suppressed", "/unreached", "/reports",
    "/rating-pairs", "/audit", "/act/ban?whom=1",
)  # fmt: skip
DOORS = ("/enter", "/second-factor")
