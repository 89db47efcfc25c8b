"""What operators do to accounts: another name, one account of two, forgetting; and who the operators are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Address, Ban, LoginSession, Match, Operator, Player, SeatHolder
from pbem.play.accounts import api_keys, deletion, login_sessions, personal_data_erasure
from pbem.play.archive import records
from pbem.play.core.actors import ActionError
from pbem.play.operators import membership, player_actions, totp
from pbem.play.players import registry
from tests.support.house import address
from tests.support.play.operators.office import WHY, audited, confirmed, does, must_verify, operator, player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House


def names(house: House, match_id: str) -> list[str]:
    return house.all(select(SeatHolder.name).where(SeatHolder.match_id == match_id).order_by(SeatHolder.seat))


def test_another_name_is_at_all_tables_and_in_no_chain_and_its_bearer_is_told(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    over = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    confirmed(house, "Ann")
    head = house.match(match_id).chain_head
    house.mails("Ann")
    assert does(house, player_actions.rename, player_of(house, "Ann"), name="Zoe").changed
    assert names(house, match_id) == ["Zoe", "Bob"]
    assert house.match(match_id).chain_head == head
    with house.transaction() as ctx:
        record = records.build_record(ctx, ctx.session.get_one(Match, over)).data()
    assert record["seats"] == ["Zoe"]
    text = house.only("Ann").flat
    assert "The operator has changed your name to Zoe." in text
    assert f"Their reason: “{WHY}”" in text
    assert not does(house, player_actions.rename, player_of(house, "Ann"), name="Zoe").changed
    assert house.mails("Ann") == []
    must_verify(house, match_id)
    assert all("Ann" not in str(line) and "Zoe" not in str(line) for line in audited(house))


def test_nobody_is_called_as_another_at_their_table(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    does(house, player_actions.rename, player_of(house, "Ann"), name="Bob")
    assert names(house, match_id) == ["Bob 2", "Bob"]
    assert not does(house, player_actions.rename, player_of(house, "Ann"), name="Bob").changed


@pytest.mark.parametrize("name", ["", "www.example.org", "Robot", "x" * 41])
def test_a_name_that_nobody_may_have_is_given_to_nobody(house: House, name: str) -> None:
    house.start_match("minimax", 1)
    with pytest.raises(ActionError):
        does(house, player_actions.rename, player_of(house, "Ann"), name=name)
    assert house.all(select(Player.name)) == ["Ann"]
    assert audited(house) == []


def test_two_accounts_of_one_person_become_one(house: House) -> None:
    first = house.start_match("minimax", 1)
    house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        ctx.session.add(Player(name="Ann at work", created_at=ctx.now))
        ctx.session.flush()
        other = registry.get_or_create(ctx, {address("Dee"): "Ann at work"})[address("Dee")]
        ctx.session.get_one(Address, address("Dee")).verified_at = ctx.now
        number = other.id
        login_sessions.start(ctx, other, "a browser")
        api_keys.create(ctx, number, "mine", ["play"])
    confirmed(house, "Ann")
    house.mails("Ann")
    house.mails("Dee")
    ann = player_of(house, "Ann")
    done = does(house, player_actions.merge, ann, into=number)
    assert done.changed
    assert player_of(house, "Ann") == number
    assert house.all(select(SeatHolder.player_id).where(SeatHolder.match_id == first)) == [number]
    assert "The operator has merged your two accounts at 127.0.0.1." in house.only("Dee").flat
    assert not does(house, player_actions.merge, ann, into=number).changed
    with pytest.raises(ActionError, match=f"There is no player {ann} here"):
        does(house, player_actions.merge, ann, into=player_of(house, "Bob"))
    must_verify(house, first)


def test_accounts_that_cannot_be_one_stay_two(house: House) -> None:
    house.start_match("martian-whist", 2)
    house.start_match("minimax", 1)
    ann, bob = player_of(house, "Ann"), player_of(house, "Bob")
    with pytest.raises(ActionError, match="must not see both hands"):
        does(house, player_actions.merge, ann, into=bob)
    with pytest.raises(ActionError, match="merged into itself"):
        does(house, player_actions.merge, ann, into=ann)
    operator(house, "Ann")
    with pytest.raises(ActionError, match="is or was an operator"):
        does(house, player_actions.merge, ann, into=bob)
    does(house, player_actions.ban, bob, sentence="No.")
    with pytest.raises(ActionError, match="banned"):
        does(house, player_actions.merge, bob, into=ann)
    assert sorted(house.all(select(Player.id).where(Player.is_robot.is_(False)))) == sorted([ann, bob])


def test_somebody_is_forgotten_as_if_they_had_left_themselves(house: House) -> None:
    match_id = house.start_match("martian-whist", 2)
    ann = player_of(house, "Ann")
    does(house, player_actions.ban, ann, sentence="Ann, no.")
    assert does(house, player_actions.erase, ann).changed
    assert sorted(names(house, match_id)) == sorted(["Ada", "Bob", deletion.FORMER_NAME])
    assert not does(house, player_actions.erase, ann).changed
    with house.transaction() as ctx:
        assert list(ctx.session.scalars(select(Ban.message))) == [personal_data_erasure.ERASED_TEXT]
    with pytest.raises(ActionError, match="is deleted"):
        does(house, player_actions.unban, ann)
    must_verify(house, match_id)


def test_an_operator_is_not_forgotten_before_they_are_dismissed_and_is_none_after_leaving(house: House) -> None:
    house.start_match("minimax", 1)
    ann = operator(house, "Ann")
    assert ann.player
    with pytest.raises(ActionError, match="dismiss them first"):
        does(house, player_actions.erase, ann.player)
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, ann.player))
    (row,) = house.all(select(Operator))
    assert (row.name, row.dismissed_at is None, row.totp_secret) == (personal_data_erasure.ERASED_TEXT, False, None)


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (player_actions.unban, {}),
        (player_actions.rename, {"name": "Zoe"}),
        (player_actions.merge, {"into": 1}),
        (player_actions.erase, {}),
        (membership.appoint, {}),
    ],
)
def test_nothing_is_done_to_nobody(house: House, act: Callable[..., Any], named: dict[str, Any]) -> None:
    for nobody in (0, 99999, 2**63):
        with pytest.raises(ActionError, match="There is no player"):
            does(house, act, nobody, **named)
    assert audited(house) == []


def test_an_operator_is_appointed_once_and_dismissed_once(house: House) -> None:
    house.start_match("martian-whist", 2)
    bob = player_of(house, "Bob")
    with house.transaction() as ctx:
        ctx.session.get_one(Address, address("Bob")).verified_at = None
    with pytest.raises(ActionError, match="sign in once"):
        does(house, membership.appoint, bob)
    ann = operator(house, "Ann")
    confirmed(house, "Bob")
    assert does(house, membership.appoint, bob, actor=ann, name="Bobby").changed
    assert not does(house, membership.appoint, bob).changed
    with house.transaction() as ctx:
        found = membership.list_operators(ctx)
        assert [(one.name, one.appointed_by) for one in found] == [("Ann", "shell:root"), ("Bobby", "Ann")]
    with pytest.raises(ActionError, match="cannot dismiss yourself"):
        does(house, membership.dismiss, ann.player or 0, actor=ann)
    assert does(house, membership.dismiss, bob, actor=ann).changed
    assert not does(house, membership.dismiss, bob).changed
    assert not does(house, membership.dismiss, 99999).changed
    with house.transaction() as ctx:
        assert [one.name for one in membership.list_operators(ctx)] == ["Ann"]
        assert len(membership.list_operators(ctx, dismissed=True)) == 2
    assert does(house, membership.appoint, bob, name="Bob").changed
    with pytest.raises(ActionError, match=r"[Rr]obots"):
        does(house, membership.appoint, ann.player or 0, name="Robot")


def test_an_operators_codes_are_forgotten_by_another_one_or_when_they_are_dismissed(house: House) -> None:
    house.start_match("martian-whist", 2)
    ann, bob = operator(house, "Ann"), operator(house, "Bob")
    assert not does(house, membership.reset_totp, bob.player or 0).changed
    for act in (membership.reset_totp, membership.dismiss):
        with house.transaction() as ctx:
            totp.enroll(ctx, ctx.session.scalars(select(Operator).where(Operator.player_id == bob.player)).one())
        with pytest.raises(ActionError, match="You cannot"):
            does(house, act, bob.player or 0, actor=bob)
        assert does(house, act, bob.player or 0, actor=ann).changed
        assert house.all(select(Operator.totp_secret)) == [None, None]
    with pytest.raises(ActionError, match="is not an operator"):
        does(house, membership.reset_totp, bob.player or 0)


def test_somebody_who_is_shut_out_runs_nothing(house: House) -> None:
    house.start_match("martian-whist", 2)
    confirmed(house, "Bob")
    does(house, player_actions.ban, player_of(house, "Bob"), sentence="No.")
    with pytest.raises(ActionError, match="banned"):
        does(house, membership.appoint, player_of(house, "Bob"))
    assert house.all(select(LoginSession.id)) == []
