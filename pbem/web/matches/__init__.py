"""Pages of matches that anyone may see."""

from pbem.web.matches import live, public, records, replay, replay_files, rules, share, statistics

PAGES = (
    live.pages,
    public.pages,
    records.pages,
    replay.pages,
    replay_files.pages,
    rules.pages,
    share.pages,
    statistics.pages,
)
