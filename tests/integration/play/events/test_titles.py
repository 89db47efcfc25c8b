"""What events are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Event
from pbem.play.events import titles
from tests.support.ended import ended
from tests.support.play.events.entering import open_event
from tests.support.play.leagues.written_seasons import begin, season

if TYPE_CHECKING:
    from tests.support.house import House


def test_a_match_names_its_event_and_its_group(house: House) -> None:
    event = season(house, season=2)
    match, other = begin(house, event, "Ann", "Bob"), ended(house, "Ann", "Bob")
    with house.transaction() as ctx:
        found = titles.for_match(ctx, house.match(match))
        assert found is not None
        assert (found.title, found.event.id) == ("League of Montauk, season 2, group 1", event)
        assert titles.for_match(ctx, house.match(other)) is None


@pytest.mark.parametrize(("kind", "title"), [("ladder", "Ladder of Montauk"), ("field", "Field of Montauk, number 3")])
def test_ladders_and_fields_have_names_too(house: House, kind: str, title: str) -> None:
    event = open_event(house, kind=kind, season=3)
    with house.transaction() as ctx:
        assert titles.place_title(ctx.session.get_one(Event, event), None) == title
