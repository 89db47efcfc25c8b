"""Pages of leagues, ladders, shared deals and the deal of the week."""

from pbem.web.events import weekly, weekly_feed

PAGES = (weekly.pages, weekly_feed.pages)
