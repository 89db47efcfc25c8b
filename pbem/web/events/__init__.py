"""Pages of leagues, ladders, shared deals and the deal of the week."""

from pbem.web.events import (
    deal_sets,
    field_entries,
    field_feed,
    fields,
    ladder_challenges,
    ladder_entries,
    ladder_feeds,
    ladders,
    league_entries,
    league_feeds,
    leagues,
    weekly,
    weekly_feed,
)

PAGES = (
    deal_sets.pages,
    field_entries.pages,
    field_feed.pages,
    fields.pages,
    ladder_challenges.pages,
    ladder_entries.pages,
    ladder_feeds.pages,
    ladders.pages,
    league_entries.pages,
    league_feeds.pages,
    leagues.pages,
    weekly.pages,
    weekly_feed.pages,
)
