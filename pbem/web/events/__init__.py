"""Pages of leagues, ladders, shared deals and the deal of the week."""

from pbem.web.events import (
    ladder_challenges,
    ladder_entries,
    ladder_feeds,
    ladders,
    league_entries,
    league_feeds,
    leagues,
)

PAGES = (
    ladder_challenges.pages,
    ladder_entries.pages,
    ladder_feeds.pages,
    ladders.pages,
    league_entries.pages,
    league_feeds.pages,
    leagues.pages,
)
