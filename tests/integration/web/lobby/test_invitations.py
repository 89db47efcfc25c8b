"""The page of an invitation: it shows, and its forms accept or decline."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Address, InvitationBlock, LogEntry, Match, OutboxMessage, Player, SeatHolder
from pbem.play.core.errors import Refused
from pbem.play.core.tokens import ALPHABET, LENGTH
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import lock_match
from pbem.states import MatchState
from pbem.web.request import csrf
from tests.support.creating import create_match
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

PROMISE = (
    "The server cannot have chosen the deal if at least one player not in league with it added text that the server "
    "did not make."
)


def invited(house: House, *, creator: int | None = 1) -> str:
    return house.make("martian-whist", 2, creator=creator)


def invitation(site: Visitor, house: House, name: str) -> Page:
    return site.open(f"/invitation/{house.only(name).token}")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_it_shows_who_invites_to_what_and_how_the_deal_is_kept_fair(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob")
    assert "Ann invites you to Martian Whist" in page.words
    assert "Ann has accepted" in page.words
    assert "Bob (you) not yet" in page.words
    assert "20 trees" in page.words
    assert PROMISE in page.words
    assert local.match(match_id).commitment.hex() in page.words
    assert local.match_seats(match_id)[1].default_entropy in page.words
    assert local.match_seats(match_id)[0].default_entropy not in page.words


def test_looking_accepts_nothing(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob")
    before = rows(local)
    for method in ("GET", "HEAD", "OPTIONS", "GET"):
        site.open(page.url, method)
        site.open(f"{page.url}/decline", method)
    assert rows(local) == before
    assert local.match(match_id).state == MatchState.INVITING


def test_accepting_without_a_text_leaves_the_servers(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob").press("Accept")
    seat = local.match_seats(match_id)[1]
    assert seat.entropy is None
    assert seat.default_entropy in page.words
    assert "You added no text" in page.words


def test_a_text_of_ones_own_is_shown_with_its_hash(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob").press("Accept", entropy="  <i>It rains & rains </i>")
    text = "<i>It rains & rains </i>"
    assert local.match_seats(match_id)[1].entropy == sha(text)
    assert text in page.words
    assert sha(text) in page.words
    assert "<i>" not in page.html


def test_random_numbers_of_the_browser_are_not_said_to_be_typed(site: Visitor, local: House) -> None:
    invited(local)
    page = invitation(site, local, "Bob").press("Accept", entropy="0f" * 16, drawn="0f" * 16)
    assert "Your browser added these random numbers:" in page.words
    assert "You added this text" not in page.words


def test_who_is_still_awaited_is_said(site: Visitor, local: House) -> None:
    local.make("middle-card", 3)
    page = invitation(site, local, "Ann").press("Accept")
    assert "begins when Bob and Cyd have accepted too. You will get a mail" in page.words
    page = invitation(site, local, "Bob").press("Accept")
    assert "begins when Cyd has accepted too" in page.words


def test_the_last_acceptance_leads_on_to_the_turn(site: Visitor, local: House) -> None:
    invited(local, creator=2)
    page = invitation(site, local, "Ann").press("Accept")
    assert "Your turn in Martian Whist" in page.follow("Make your move").words


def test_who_is_not_to_move_is_told_so(site: Visitor, local: House) -> None:
    invited(local)
    page = invitation(site, local, "Bob").press("Accept")
    assert "has begun. You will get a mail when it is your turn" in page.words
    assert "It is Ann’s turn. Martian Whist: Ann and Bob. You are Bob." in page.follow("Look at the match").words


def test_the_first_acceptance_counts_and_an_old_form_leads_to_no_turn(site: Visitor, local: House) -> None:
    match_id = invited(local, creator=2)
    page = invitation(site, local, "Ann")
    page.press("Accept", entropy="one")
    page.press("Accept", entropy="one")
    for text in ("two", "", "one"):
        again = page.press("Accept", entropy=text)
        assert sha("one") in again.words
        assert (sha("two") in again.words) is False
        assert "/m/" not in again.html
    assert local.match_seats(match_id)[0].entropy == sha("one")


def test_after_it_has_begun_a_fresh_link_comes_by_mail_alone(site: Visitor, local: House) -> None:
    invited(local, creator=2)
    page = invitation(site, local, "Ann")
    page.press("Accept")
    local.mails("Ann")
    page = site.open(page.url)
    assert "This match has begun" in page.words
    page = page.press("Mail me a fresh link")
    assert "A mail is on its way" in page.words
    assert "Your turn in Martian Whist" in site.open(f"/m/{local.only('Ann').token}").words


def test_an_accepted_invitation_says_so(site: Visitor, local: House) -> None:
    invited(local)
    page = invitation(site, local, "Ann")
    assert "You have accepted. The match begins when Bob has accepted too" in page.words
    assert [form.button for form in page.forms if form.action != "/language"] == []


def test_an_old_form_keeps_what_was_typed(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob").press("Accept", nonce="x", entropy="rain")
    assert page.status == 400
    assert "nothing has been done yet" in page.words
    assert page.form("Accept").fields["entropy"] == "rain"
    assert local.match(match_id).state == MatchState.INVITING
    assert sha("rain") in page.press("Accept").words


def test_declining_asks_once_more(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob").press("Decline")
    assert "Decline the invitation?" in page.words
    assert local.match(match_id).state == MatchState.INVITING
    old = page.press("Decline", nonce="")
    assert old.status == 400
    assert local.match(match_id).state == MatchState.INVITING
    page = page.press("Decline")
    assert "The match was called off" in page.words
    assert local.match(match_id).state == MatchState.OVER
    assert "has declined" in local.last("Ann").text


def test_a_match_that_was_called_off_says_so_to_all(site: Visitor, local: House) -> None:
    invited(local, creator=None)
    ann, bob = invitation(site, local, "Ann"), invitation(site, local, "Bob")
    ann.press("Decline").press("Decline")
    for page in (site.open(bob.url), bob.press("Accept")):
        assert "This match was called off" in page.words
    assert "called off" in site.open(f"{bob.url}/decline").words


def test_it_is_too_late_to_decline_a_match_that_has_begun(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob")
    asked = page.press("Decline")
    page.press("Accept")
    assert "This match has begun" in asked.press("Decline").words
    assert local.match(match_id).state == MatchState.RUNNING


def test_the_same_words_for_every_unknown_link(site: Visitor, local: House) -> None:
    invited(local)
    token = local.only("Bob").token
    with local.transaction() as ctx:
        ctx.session.execute(update(SeatHolder).values(generation=2))
    never = (ALPHABET * 2)[:LENGTH]
    for prefix in ("/invitation", "/m"):
        answers = {
            (page.status, page.html)
            for page in (site.open(f"{prefix}/{unknown}") for unknown in (token, never, "x", token + "0"))
        }
        assert len(answers) == 1
        (status, html) = answers.pop()
        assert status == 404
        assert "This link is not valid." in html
    assert site.client.post(f"/invitation/{token}").status_code == 404
    assert site.open("/m/%00").status == 404
    assert site.client.get(f"/invitation/{token}/decline").status_code == 404


def test_links_of_the_two_kinds_lead_to_each_other(site: Visitor, local: House) -> None:
    invited(local, creator=2)
    token = local.only("Ann").token
    page = site.open(f"/m/{token}")
    assert page.url == f"/invitation/{token}"
    turn = page.press("Accept").follow("Make your move").url
    assert site.open(turn.replace("/m/", "/invitation/")).url == turn


def test_a_fresh_link_to_an_invitation_is_mailed_while_it_waits(site: Visitor, local: House) -> None:
    local.make("martian-whist", 2)
    token = local.only("Ann").token
    with site.client.application.app_context():
        nonce = csrf.nonce(f"fresh {token}")
    assert site.client.post(f"/m/{token}/fresh", data={"nonce": nonce}).status_code == 200
    assert f"/invitation/{token}" in local.only("Ann").text
    assert site.client.post(f"/m/{token}/fresh", data={"nonce": "x"}).location == f"/m/{token}"
    site.open(f"/invitation/{token}").press("Decline").press("Decline")
    assert site.client.post(f"/m/{token}/fresh", data={"nonce": nonce}).status_code == 200
    assert local.mails("Ann") == []


def rows(house: House) -> list[int]:
    tables = (Match, OutboxMessage, LogEntry)
    return [int(house.rows(select(func.count()).select_from(table))[0][0]) for table in tables]


# -- whose further invitations are welcome ---------------------------------------------------------------


def declined(house: House) -> list[int]:
    return house.all(select(InvitationBlock.player_id))


def test_declining_asks_whether_further_invitations_are_welcome(site: Visitor, local: House) -> None:
    match_id = invited(local)
    page = invitation(site, local, "Bob").press("Decline")
    assert page.form("Decline").fields["ever"] == "this"
    page = page.press("Decline")
    assert local.match(match_id).state == MatchState.OVER
    assert not declined(local)
    # It can still be said afterwards.
    page = page.press("No more invitations")
    assert "You get no more invitations from Ann." in page.words
    with pytest.raises(Refused, match="does not accept invitations"):
        invited(local)
    page = page.press("Take it back")
    assert "You can be invited again." in page.words
    assert not declined(local)
    assert invited(local)


def test_the_mail_leads_to_the_page_with_the_choice_made(site: Visitor, local: House) -> None:
    invited(local)
    mail = local.only("Bob")
    page = site.open(f"/invitation/{mail.token}/decline?ever=person")
    assert page.form("Decline").fields["ever"] == "person"
    old = page.press("Decline", nonce="x")
    assert old.status == 400
    assert not declined(local)
    assert "You get no more invitations from Ann." in page.press("Decline").words
    assert len(declined(local)) == 1


def test_nobody_at_all_may_invite_who_says_so(site: Visitor, local: House) -> None:
    invited(local)
    page = invitation(site, local, "Bob").press("Decline").press("Decline", ever="anybody")
    assert "You get no more invitations." in page.words
    assert declined(local) == [0]


def test_where_nobody_invited_there_is_nobody_to_name(site: Visitor, local: House) -> None:
    invited(local, creator=None)
    page = invitation(site, local, "Bob").press("Decline")
    assert "None from anybody" in page.words
    page = page.press("Decline", ever="person")
    assert "The match was called off" in page.words
    assert not declined(local)
    assert "You get no more invitations. " in page.press("No more invitations").words


def test_after_the_end_further_invitations_can_be_declined(site: Visitor, local: House) -> None:
    match_id = invited(local)
    mail = local.only("Bob")
    local.reply(mail, "accept")
    assert "This match has begun" in site.open(f"/invitation/{mail.token}/decline").words
    local.reply(local.last("Bob"), "resign yes")
    page = site.open(f"/invitation/{mail.token}")
    assert "This match is over" in page.words
    assert "The match is over by resignation. Ann has won." in page.words
    # Others may have the invitation's link by now.
    assert "This match is over" in site.open(f"/invitation/{mail.token}/decline").words
    page = site.open(f"/invitation/{local.last('Bob').token}/decline")
    assert "can no longer be declined" in page.words
    assert "You get no more invitations from Ann." in page.press("No more invitations").words
    assert local.match(match_id).state == MatchState.OVER


def test_who_took_an_open_seat_leaves_it(site: Visitor, local: House) -> None:
    with local.transaction(datetime.now(UTC) - timedelta(minutes=1)) as ctx:
        host = [Invitee("Ann", "ann@example.org")]
        match = create_match(ctx, "martian-whist", {}, host, creator=1, open_seats=1)
        match_id = match.id
    with local.transaction() as ctx:
        bob = Player(name="Bob", language="en", created_at=ctx.now)
        ctx.session.add(bob)
        ctx.session.flush()
        match = lock_match(ctx, match_id)
        match.seats[0].accepted_at = None
        acceptance.take_seat(ctx, match, bob, "bob@example.org", "Bob")
    page = invitation(site, local, "Bob")
    left = site.open(f"{page.url}/decline").press("Decline")
    assert "You have left the table" in left.words
    assert local.match(match_id).open_seats == 1


def test_the_page_says_whose_seat_is_open_to_others(site: Visitor, local: House) -> None:
    match_id = local.make("middle-card", 3, creator=1, open_if_declined=True)
    links = {name: f"/invitation/{local.only(name).token}" for name in ("Bob", "Cyd")}
    page = site.open(f"{links['Bob']}/decline")
    assert "Your seat at the table of Middle Card is then open to others." in page.words
    assert "calls off" not in page.words
    assert local.match(match_id).state == MatchState.INVITING
    for said in (page.press("Decline").words, site.open(f"{links['Bob']}/decline").words):
        assert "You have declined Your seat is open to others. You get no more mail about this match." in said
    assert "You have declined Your seat is open to others." in site.open(links["Bob"]).words
    for said in (site.open(links["Cyd"]).words, site.open(f"{links['Cyd']}/decline").words):
        assert "declined" in said
        assert "You have declined" not in said
        assert "new match" in said
    (drawn,) = local.all(select(Match.id).where(Match.previous_match_id == match_id))
    assert "This table was replaced" in site.open(f"/join/{match_id}").words
    assert "One seat is open." in site.open(f"/join/{drawn}").words


@pytest.mark.parametrize(
    ("by", "detail", "words"),
    [
        ("clock", {}, "Not everybody answered in time"),
        ("seat 1", {"redrawn": True}, "A player who did not answer was replaced"),
        ("seat 1", {"declined": True}, "Somebody declined"),
        ("seat 1", {"declined": True, "redrawn": True}, "A player declined or did not answer"),
        ("clock", {"redrawn": True}, "A player declined or did not answer"),
    ],
)
def test_an_old_invitation_says_what_became_of_it(
    site: Visitor, local: House, by: str, detail: dict[str, bool], words: str
) -> None:
    match_id = invited(local)
    mail = local.only("Bob")
    with local.transaction() as ctx:
        acceptance.cancel(ctx, lock_match(ctx, match_id), seat=None, by=by, detail=dict(detail))
    page = site.open(f"/invitation/{mail.token}")
    assert ("This match was called off" in page.words) is not words.startswith("A player declined")
    assert words in page.words
    assert "No more invitations" in page.links


def test_the_page_says_who_invites_from_where_and_in_what_words(site: Visitor, local: House) -> None:
    guests = [Invitee(name, address(name)) for name in ("Ann", "Bob")]
    for words in ("", "Shall we? <i>"):
        with local.transaction() as ctx:
            create_match(ctx, "martian-whist", {}, guests, creator=1, words=words)
            ctx.session.execute(update(Address).values(verified_at=ctx.now if words else None))
        page = site.open(f"/invitation/{local.last('Bob').token}")
        assert ("Ann invites you from ann@example.org" in page.words) is bool(words)
        assert ("Shall we? <i>" in page.words) is bool(words)
        assert "First you draft pyramids" in page.words
