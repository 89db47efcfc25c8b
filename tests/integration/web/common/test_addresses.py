"""Several addresses a person: added, made the main one, removed; and accounts that become one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Address, Avoidance, InvitationBlock, Match, Mute, OutboxMessage, Player, SeatHolder
from pbem.play.accounts import merge
from pbem.play.lifecycle import acceptance
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.states import MatchState, OutboxState
from tests.support.house import address
from tests.support.web.account.settings import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Page, Visitor

ADD, MINE, SENT = "Send confirmation", "Yes, this is my address", "We sent a mail to"
NEW, LAPTOP = "Phone", "Laptop"
"""Mailboxes of Ann's that are not known yet."""


@pytest.fixture
def ann(local: House) -> Visitor:
    return signed_in(local)


def add(browser: Visitor, name: str = NEW) -> Page:
    return browser.open("/me/addresses").press(ADD, email=address(name))


def link_of(mail: Mail) -> str:
    line = next(line for line in mail.text.splitlines() if "/address/" in line)
    return line.partition(":8000")[2]


def taken(house: House, browser: Visitor, name: str = NEW) -> Page:
    """Add an address to the end: ask, open the link, say so."""
    assert SENT in add(browser, name).words
    return browser.open(link_of(house.last(name))).press(MINE)


def owner(house: House, name: str) -> str | None:
    known = select(Player.name).join(Address).where(Address.email == address(name), Address.verified_at.is_not(None))
    return next(iter(house.all(known)), None)


def main_ones(house: House) -> list[str]:
    return house.all(select(Address.email).where(Address.is_main).order_by(Address.email))


# -- adding --------------------------------------------------------------------------------------------


def test_an_address_is_added_by_a_link_that_is_mailed_to_it(local: House, ann: Visitor) -> None:
    page = add(ann)
    assert f"{SENT} {address(NEW)}." in page.words
    assert address(NEW) not in local.all(select(Address.email))
    mail = local.only(NEW)
    assert mail.message["Subject"] == "Is this your address?"
    assert "Ann wants to add this address to their account at 127.0.0.1." in mail.flat
    assert address("Ann") not in mail.flat
    page = ann.open(link_of(mail))
    assert owner(local, NEW) is None
    assert "This address is yours" in page.press(MINE).words
    assert owner(local, NEW) == "Ann"
    assert main_ones(local) == [address("Ann")]
    assert address(NEW) in ann.open("/me/addresses").words


def test_only_who_asked_for_it_can_take_it(local: House, ann: Visitor) -> None:
    add(ann)
    link = link_of(local.only(NEW))
    bob = signed_in(local, "Bob")
    for other in (visitor(local, keeps=True), bob):
        page = other.open(link)
        assert "sign in as Ann first" in page.words
        assert MINE not in [form.button for form in page.forms]
        assert 'href="/sign-in?then=/address/' in page.html
        assert other.client.post(link, data={"nonce": "x"}).status_code == 303
    assert owner(local, NEW) is None
    answer = ann.open(link).press(MINE, nonce="forged")
    assert answer.status == 400
    assert owner(local, NEW) is None


def test_the_answer_is_the_same_whoever_has_an_address(local: House, ann: Visitor) -> None:
    signed_in(local, "Bob")
    local.make("martian-whist", 2)
    pages = [add(ann, name) for name in (NEW, "Bob", "Cyd")]
    said = [page.words.replace(address(name), "…") for page, name in zip(pages, (NEW, "Bob", "Cyd"), strict=True)]
    assert len(set(said)) == 1


def test_an_account_that_was_signed_in_to_stays_its_owners(local: House, ann: Visitor) -> None:
    signed_in(local, "Bob")
    add(ann, "Bob")
    page = ann.open(link_of(local.only("Bob"))).press(MINE)
    assert page.status == 409
    assert "somebody has signed in to" in page.words
    assert owner(local, "Bob") == "Bob"


@pytest.mark.parametrize(
    ("typed", "said"), [("nobody", "Enter a mail address"), (address("Ann"), "one of your addresses")]
)
def test_what_cannot_be_added_is_refused_at_its_field(local: House, ann: Visitor, typed: str, said: str) -> None:
    page = ann.open("/me/addresses").press(ADD, email=typed)
    assert page.status == 422
    assert said in page.words
    assert 'aria-invalid="true"' in page.html
    assert page.form(ADD).fields["email"] == typed
    assert not local.all(select(OutboxMessage))


def test_a_link_is_unknown_when_it_is_too_old_or_its_player_gone(local: House, ann: Visitor) -> None:
    add(ann)
    link = link_of(local.only(NEW))
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).values(deleted_at=ctx.now))
    assert visitor(local).open(link).status == 404


def test_a_flood_of_additions_is_slowed_and_mails_nothing(limited: House) -> None:
    ann = signed_in(limited)
    for _ in range(3):
        assert SENT in add(ann).words
    page = add(ann)
    assert page.status == 429
    assert int(page.response.headers["Retry-After"]) > 0
    for number in range(7):
        assert add(ann, f"Other{number}").status == 200
    assert add(ann, "Onemore").status == 429
    assert not limited.all(select(OutboxMessage).where(OutboxMessage.recipient == address("Onemore")))


@pytest.fixture
def limited(local: House, allowances_of_its_own: None) -> House:  # noqa: ARG001
    return replace(local, config=replace(local.config, limits=DEFAULT_RATE_LIMITS))


@pytest.fixture
def allowances_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """No broker runs in the house: the database counts from the first time on."""
    monkeypatch.setattr("pbem.play.core.rate_limits.REDIS_TIMEOUT_SECONDS", 0.05)


# -- the main one, and removing ------------------------------------------------------------------------


def test_another_becomes_the_main_one(local: House, ann: Visitor) -> None:
    taken(local, ann)
    page = ann.open("/me/addresses").press(f"Make main address {address(NEW)}")
    assert "Saved." in page.words
    assert main_ones(local) == [address(NEW)]
    assert page.words.index(address(NEW)) < page.words.index(address("Ann"))


def test_the_last_verified_address_stays(local: House, ann: Visitor) -> None:
    page = ann.open("/me/addresses")
    assert not [form for form in page.forms if form.button.startswith("Remove")]
    with local.transaction() as ctx:
        (player,) = ctx.session.scalars(select(Player))
        ctx.session.add(Address(email=address(LAPTOP), player=player, created_at=ctx.now))
    form = ann.open("/me/addresses").form(ADD)
    answer = ann.send(form, form.fields | {"do": "remove", "email": address("Ann")})
    assert answer.status == 422
    assert "You need one address to sign in" in answer.words
    # One that was never shown to be theirs may go.
    ann.open("/me/addresses").press(f"Remove {address(LAPTOP)}")
    assert local.all(select(Address.email)) == [address("Ann")]


def test_a_removed_address_leaves_its_seats_to_the_main_one_and_its_links_end(local: House, ann: Visitor) -> None:
    running = local.start_match("martian-whist", 2)
    waiting = local.make("martian-whist", 2)
    old = local.last("Ann").token
    taken(local, ann)
    page = ann.open("/me/addresses").press(f"Remove {address('Ann')}")
    assert "Saved." in page.words
    assert main_ones(local) == [address("Bob"), address(NEW)]
    seats = local.all(select(SeatHolder.email).where(SeatHolder.seat == 1))
    assert seats == [address(NEW), address(NEW)]
    assert visitor(local).open(f"/m/{old}").status == 404
    assert not local.mails("Ann")
    fresh = local.mails(NEW)[-2:]
    assert {visitor(local).open(f"/m/{mail.token}").status for mail in fresh} == {200}
    assert {local.match(match_id).state for match_id in (running, waiting)} == {"running", "inviting"}


def test_a_mail_that_waits_for_the_digest_goes_where_its_reader_is(local: House, ann: Visitor) -> None:
    ann.open("/me/mail").press("Save", mail_when="digest")
    taken(local, ann)
    local.make("minimax", 1)
    with local.transaction() as ctx:
        (match,) = ctx.session.scalars(select(Match))
        acceptance.accept(ctx, match, holders(ctx, match)[0], "")
    ann.open("/me/addresses").press(f"Remove {address('Ann')}")
    assert set(local.all(select(OutboxMessage.recipient).where(OutboxMessage.state == OutboxState.PENDING))) == {
        address(NEW)
    }


def test_seats_of_matches_that_are_over_are_not_written_to(local: House, ann: Visitor) -> None:
    local.start_match("minimax", 1)
    local.reply(local.last("Ann"), "resign yes")
    local.mails("Ann")
    taken(local, ann)
    ann.open("/me/addresses").press(f"Remove {address('Ann')}")
    assert local.all(select(SeatHolder.email)) == [address(NEW)]
    assert not local.mails(NEW)


@pytest.mark.parametrize("wish", ["main", "remove", "sell", ""])
def test_nobody_changes_what_is_not_theirs(local: House, ann: Visitor, wish: str) -> None:
    signed_in(local, "Bob")
    taken(local, ann)
    before = local.rows(select(Address.email, Address.is_main, Address.player_id).order_by(Address.email))
    form = ann.open("/me/addresses").form(ADD)
    answer = ann.send(form, form.fields | {"do": wish, "email": address("Bob")})
    assert answer.status == 422
    assert local.rows(select(Address.email, Address.is_main, Address.player_id).order_by(Address.email)) == before


def test_an_address_that_is_not_shown_to_be_theirs_cannot_be_the_main_one(local: House, ann: Visitor) -> None:
    with local.transaction() as ctx:
        (player,) = ctx.session.scalars(select(Player))
        ctx.session.add(Address(email=address(LAPTOP), player=player, created_at=ctx.now))
    form = ann.open("/me/addresses").form(ADD)
    answer = ann.send(form, form.fields | {"do": "main", "email": address(LAPTOP)})
    assert answer.status == 422
    assert main_ones(local) == [address("Ann")]


# -- accounts that become one --------------------------------------------------------------------------


def test_what_an_invitation_made_becomes_part_of_the_account(local: House, ann: Visitor) -> None:
    match_id = local.start_match("martian-whist", 2)
    signed_in(local, "Cyd")
    local.mails("Bob")
    with local.transaction() as ctx:
        players = {player.name: player for player in ctx.session.scalars(select(Player))}
        bob, me, cyd = players["Bob"], players["Cyd"], players["Ann"]
        ctx.session.get_one(Match, match_id).host_id = bob.id
        for by, whom in ((bob, me), (me, cyd), (bob, cyd), (cyd, bob)):
            ctx.session.add(Mute(player_id=by.id, muted_id=whom.id, muted_at=ctx.now))
            ctx.session.add(Avoidance(player_id=by.id, avoided_id=whom.id, name=whom.name, created_at=ctx.now))
        for who, of in ((b"1", bob), (b"1", me), (b"2", bob)):
            ctx.session.add(InvitationBlock(hash=who, player_id=of.id, blocked_at=ctx.now))
        ids = me.id, cyd.id
    page = taken(local, signed_in(local, "Cyd"), "Bob")
    assert "This address is yours" in page.words
    assert owner(local, "Bob") == "Cyd"
    assert main_ones(local) == [address("Ann"), address("Cyd")]
    assert sorted(local.all(select(Player.name))) == ["Ann", "Cyd"]
    assert local.all(select(SeatHolder.player_id).where(SeatHolder.seat == 2)) == [ids[0]]
    assert local.match(match_id).host_id == ids[0]
    mutes = local.rows(select(Mute.player_id, Mute.muted_id).order_by(Mute.player_id))
    assert sorted(mutes) == sorted([ids, ids[::-1]])
    assert sorted(local.rows(select(Avoidance.player_id, Avoidance.avoided_id))) == sorted([ids, ids[::-1]])
    assert sorted(local.rows(select(InvitationBlock.hash, InvitationBlock.player_id))) == [
        (b"1", ids[0]),
        (b"2", ids[0]),
    ]
    assert ann.open("/me").status == 200


def test_a_seat_that_came_along_is_played_as_before(local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    turn = local.last("Ann")
    with local.transaction() as ctx:
        registry.get_or_create(ctx, {address("Cyd"): "Cyd"})
    taken(local, signed_in(local, "Cyd"), "Ann")
    local.reply(turn, local.legal(match_id, 1)[0])
    assert local.match(match_id).next_ply == 2


def test_nobody_comes_to_hold_two_hands(local: House) -> None:
    local.start_match("martian-whist", 2)
    ann = signed_in(local)
    local.mails("Bob")
    add(ann, "Bob")
    link = link_of(local.last("Bob"))
    page = ann.open(link).press(MINE)
    assert page.status == 409
    assert "nobody can hold two seats" in page.words
    assert owner(local, "Bob") == "Bob"
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).values(state=MatchState.OVER, ended_at=ctx.now))
    assert "This address is yours" in ann.open(link).press(MINE).words


def test_an_account_of_two_addresses_is_nobody_elses(local: House) -> None:
    with local.transaction() as ctx:
        bob = registry.get_or_create(ctx, {address("Bob"): "Bob"})[address("Bob")]
        assert merge.is_bare(ctx, bob)
        ctx.session.add(Address(email=address("Bob2"), player=bob, created_at=datetime.now(UTC)))
        ctx.session.flush()
        assert not merge.is_bare(ctx, bob)


def test_a_link_works_for_three_days(local: House, ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    add(ann)
    link = link_of(local.only(NEW))
    later = datetime.now(UTC) + timedelta(days=3, minutes=1)
    monkeypatch.setattr("itsdangerous.timed.time.time", later.timestamp)
    assert visitor(local).open(link).status == 404
