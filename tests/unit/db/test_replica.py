"""The choice between a replica and the primary, without a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from pbem.db.replica import Replica

if TYPE_CHECKING:
    from sqlalchemy import Engine

PRIMARY, COPY = (create_engine(f"postgresql+psycopg://{host}.invalid/pbem") for host in ("primary", "copy"))


def replica(monkeypatch: pytest.MonkeyPatch, *, fresh: bool = True) -> Replica:
    found = Replica(PRIMARY, COPY)
    monkeypatch.setattr(found, "is_fresh", lambda: fresh)
    return found


@pytest.mark.parametrize(("has", "source"), [(True, COPY), (False, PRIMARY)])
def test_a_page_is_made_once_from_where_its_rows_are(
    has: bool,  # noqa: FBT001 -- a case
    source: Engine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Engine] = []
    replica(monkeypatch).read(looked.append, lambda engine: has and engine is COPY)
    assert looked == [source]


def test_a_replica_that_is_behind_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Engine] = []

    def asked(engine: Engine) -> bool:
        raise AssertionError(engine)

    replica(monkeypatch, fresh=False).read(looked.append, asked)
    assert looked == [PRIMARY]


def test_an_error_of_the_page_itself_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Engine] = []

    def look(engine: Engine) -> None:
        looked.append(engine)
        raise LookupError

    with pytest.raises(LookupError):
        replica(monkeypatch).read(look)
    assert looked == [COPY]


def test_a_replica_that_fails_when_asked_for_a_row_leaves_the_page_to_the_primary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Engine] = []

    def fails(_engine: Engine) -> bool:
        raise OperationalError("SELECT", {}, ConnectionError("gone"))

    replica(monkeypatch).read(looked.append, fails)
    assert looked == [PRIMARY]
