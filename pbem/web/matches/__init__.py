"""Pages of matches that anyone may see."""

from pbem.web.matches import (
    live_updates,
    looking_back,
    par,
    public,
    ratings,
    records,
    replay,
    replay_files,
    rules,
    share,
    statistics,
)

MODULES = (live_updates, looking_back, par, public, ratings, records, replay, replay_files, rules, share, statistics)
PAGES = tuple(module.pages for module in MODULES)
