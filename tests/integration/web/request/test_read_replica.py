"""The choice of the database that a match's page is read from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.db.replica import Replica
from pbem.telemetry import metrics
from pbem.web.common import lookup
from pbem.web.request.context import EXTENSION
from tests.support.web.matches.replay import finished
from tests.support.web.site import pages_of, visitor

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.mark.parametrize(("over", "answer"), [(True, "read"), (False, "not there")])
def test_the_page_of_a_match_is_made_once_from_the_database_that_suits_it(
    over: bool,  # noqa: FBT001 -- a case
    answer: str,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match_id = finished(house) if over else house.start_match("montauk", 2, {"rounds": 1})
    app = pages_of(house)
    monkeypatch.setattr(Replica, "is_fresh", lambda _replica: True)
    copied = replace(app.extensions[EXTENSION], replica=Replica(house.engine, house.engine))
    monkeypatch.setitem(app.extensions, EXTENSION, copied)
    looked: list[Any] = []
    known_match = lookup.known_match

    def counted(*asked: Any) -> Any:
        looked.append(asked)
        return known_match(*asked)

    monkeypatch.setattr(lookup, "known_match", counted)
    reader = visitor(house)
    for page in ("", "/replay", "/picture.png"):
        metrics.drain()
        looked.clear()
        assert reader.client.get(f"/matches/{match_id}{page}").status_code == 200
        counts = {labels[0] for (name, labels) in metrics.drain() if name == metrics.REPLICA_READS.name}
        assert (counts, len(looked)) == ({answer}, 1), page
