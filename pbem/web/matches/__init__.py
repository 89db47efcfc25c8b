"""Pages of matches that anyone may see."""

from pbem.web.matches import live, public, records, replay, replay_files, rules, share, statistics

MODULES = (live, public, records, replay, replay_files, rules, share, statistics)
PAGES = tuple(module.pages for module in MODULES)
