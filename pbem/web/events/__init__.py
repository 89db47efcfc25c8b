"""Pages of leagues, ladders, shared deals and the deal of the week."""

from pbem.web.events import deal_sets, field_entries, field_feed, fields

PAGES = (deal_sets.pages, field_entries.pages, field_feed.pages, fields.pages)
