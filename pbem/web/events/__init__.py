"""Pages of leagues, ladders, shared deals and the deal of the week."""

from pbem.web.events import league_entries, league_feeds, leagues

PAGES = (league_entries.pages, league_feeds.pages, leagues.pages)
