"""Engines on which each statement ends in a deadlock, as the database reports it."""

from __future__ import annotations

from sqlalchemy import URL, Engine, create_engine, event

_RAISE = "DO $$ BEGIN RAISE EXCEPTION 'both wait' USING ERRCODE = '40P01'; END $$"


def deadlocked(url: URL) -> Engine:
    """Return an engine on which each statement ends in a deadlock."""
    engine = create_engine(url)
    event.listen(engine, "before_cursor_execute", lambda *_: (_RAISE, ()), retval=True)
    return engine
