"""The page of a host whose match waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Match, OutboxMessage
from pbem.play.matches.seats import holders
from pbem.states import MatchState
from tests.support.house import address
from tests.support.web.lobby.open_tables import opened, signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def hosted(site: Visitor, house: House) -> Page:
    """Open the page of a match for three that Ann hosts and nobody has answered."""
    house.make("middle-card", 3, creator=1)
    return site.open(f"/table/{house.last('Ann').token}")


def test_a_host_reminds_once(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    assert "1. Ann has accepted 2. Bob not yet 3. Cyd not yet" in page.words
    assert "A reminder goes to Bob and Cyd." in page.press("Send reminder").words
    assert "Nobody was reminded" in page.press("Send reminder").words
    kinds = select(func.count()).where(OutboxMessage.kind == "reminder")
    assert local.all(kinds) == [2]


def test_a_host_reads_what_happens_if_somebody_declines(site: Visitor, local: House) -> None:
    said = "If somebody declines, their seat is open to others in a new match."
    assert said not in hosted(site, local).words
    local.make("middle-card", 3, creator=1, open_if_declined=True)
    assert said in site.open(f"/table/{local.last('Ann').token}").words


def test_a_host_asks_somebody_else_and_is_led_to_the_table_as_it_is_then(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    asked = page.press("Invite somebody else", seat="2", name="Ann", email="dee@example.org")
    assert "1. Ann has accepted 2. Ann 2 not yet 3. Cyd not yet" in asked.words
    assert "There is nothing left to do here." in site.open(page.url).words
    anybody = asked.press("Invite somebody else", seat="3", name="", email="")
    assert "3. open seat" in anybody.words
    (newest,) = local.all(select(Match.id).where(Match.state == MatchState.INVITING))
    assert f"http://127.0.0.1:8000/join/{newest}-" in anybody.words
    assert "The table is also in the lobby" in anybody.words
    assert local.match(newest).open_seats == 1


def test_what_cannot_be_done_is_said_and_what_was_typed_is_kept(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    for seat, email, reason in (
        ("x", "", "There is nobody to replace at this seat"),
        ("2", "nonsense", "Enter a mail address"),
    ):
        again = page.press("Invite somebody else", seat=seat, name="Dee", email=email or "dee@example.org")
        assert again.status == 422
        assert reason in again.words
        assert again.form("Invite somebody else").fields["name"] == "Dee"
    nameless = page.press("Invite somebody else", seat="2", name="", email="dee@example.org")
    assert "Enter a name for this player" in nameless.words
    foreign = page.press("Send reminder", nonce="elsewhere")
    assert foreign.status == 400
    assert len(local.match_ids()) == 1


def test_a_host_calls_a_match_off(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    off = page.press("Call off match")
    assert "This match was called off" in off.words
    late = site.send(page.form("Send reminder"), page.form("Send reminder").fields)
    assert late.status == 422
    assert "was called off" in late.words


def test_a_button_that_there_is_not_does_nothing(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    assert "Your table of Middle Card" in page.press("Call off match", do="dance").words


def test_nobody_else_has_a_page_for_the_table(site: Visitor, local: House) -> None:
    local.make("middle-card", 3, creator=1)
    assert site.open(f"/table/{local.last('Bob').token}").status == 404
    assert site.open("/table/unknown").status == 404


def test_a_host_who_is_signed_in_is_led_to_their_table(local: House) -> None:
    match_id = opened(local)
    ann, bob = signed_in(local, "Ann"), signed_in(local, "Bob")
    page = ann.open(f"/matches/{match_id}").follow("Manage your table")
    assert "Your table of Martian Whist" in page.words
    assert "Manage your table" not in bob.open(f"/matches/{match_id}").links
    assert bob.open(f"/matches/{match_id}/host").status == 404
    assert bob.open("/matches/nothing/host").status == 404
    joining = bob.open(f"/matches/{match_id}").follow("Join this table")
    assert joining.press("Join as Bob").status == 200


def test_a_match_that_was_called_off_leads_to_what_has_become_of_it(site: Visitor, local: House) -> None:
    page = hosted(site, local)
    match_id = local.match_ids()[0]
    page.press("Invite somebody else", seat="2", name="Dee", email=address("Dee"))
    gone = site.open(f"/matches/{match_id}").follow("What happened to it")
    assert "This table was replaced" in gone.words
    assert gone.follow("Go to the new table").status == 200
    with local.transaction() as ctx:
        (newest,) = ctx.session.scalars(select(Match).where(Match.state == MatchState.INVITING))
        assert [holder.name for holder in holders(ctx, newest)] == ["Ann", "Dee", "Cyd"]
