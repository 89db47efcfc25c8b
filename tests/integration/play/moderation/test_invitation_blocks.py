"""Declining for ever, what an invitation says of who sent it, and how many may be sent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import InvitationBlock, OutboxMessage
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import invitees as lifecycle_invitees
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.moderation import invitation_blocks
from pbem.play.players import unsubscribes
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House

UNWANTED = "This person does not accept invitations."


def invite(house: House, inviter: str, invited: str, **more: object) -> str:
    """Invite somebody in the name of a player who has verified their address."""
    guests = [Invitee(inviter, address(inviter)), Invitee(invited, address(invited))]
    with house.transaction() as ctx:
        return create_match(ctx, "martian-whist", {}, guests, creator=1, **more).id


def refused(house: House, inviter: str, invited: str) -> Refused:
    with pytest.raises(Refused) as error:
        invite(house, inviter, invited)
    return error.value


def owed(house: House) -> int:
    return int(house.rows(select(func.count()).select_from(OutboxMessage))[0][0])


@pytest.mark.parametrize("words", ["decline for ever", "Decline forever.", "für immer", "Ablehnen für immer!"])
def test_who_declines_for_ever_by_mail_is_not_invited_by_that_person_again(house: House, words: str) -> None:
    match_id = invite(house, "Ann", "Bob")
    house.mails("Ann")
    said = house.reply(house.only("Bob"), words)
    answer = house.only("Bob")
    assert answer.message["In-Reply-To"] == said
    assert "You get no more invitations from Ann. The match is called off" in answer.flat
    assert house.match(match_id).state == MatchState.OVER
    assert "Bob has declined" in house.only("Ann").flat
    before = owed(house)
    error = refused(house, "Ann", "Bob")
    assert (error.field, str(error)) == ("seats.1", UNWANTED)
    assert owed(house) == before
    # From others they are welcome, and they may invite whom they like.
    assert invite(house, "Cyd", "Bob")
    assert invite(house, "Bob", "Ann")


def test_an_address_that_is_not_written_to_is_refused_in_the_same_words(house: House) -> None:
    with house.transaction() as ctx:
        unsubscribes.unsubscribe(ctx, address("Bob"))
        invitation_blocks.block(ctx, address("Cyd"), invitation_blocks.ANYBODY)
    assert {str(refused(house, "Ann", name)) for name in ("Bob", "Cyd")} == {UNWANTED}
    # Both may still make matches themselves.
    assert invite(house, "Bob", "Ann")
    assert invite(house, "Cyd", "Ann")


def test_an_unknown_creator_who_wants_no_invitations_is_not_mailed(house: House) -> None:
    with house.transaction() as ctx:
        invitation_blocks.block(ctx, address("Ann"), invitation_blocks.ANYBODY)
    with pytest.raises(Refused, match=UNWANTED):
        invite(house, "Ann", "Bob", known=False)
    assert owed(house) == 0


def test_it_may_be_said_after_the_invitation_is_over(house: House) -> None:
    match_id = house.make("middle-card", 3, creator=1)
    house.reply(house.only("Cyd"), "decline")
    house.reply(house.last("Bob"), "decline for ever")
    assert "You get no more invitations from Ann." in house.last("Bob").flat
    assert "called off, and you get no more" not in house.every_mail[-1].flat
    assert house.match(match_id).log_length == 1


def test_where_nobody_invited_it_means_everybody(house: House) -> None:
    house.make("middle-card", 3)
    house.reply(house.only("Bob"), "decline for ever")
    assert "You get no more invitations. The match is called off" in house.only("Bob").flat
    assert house.all(select(InvitationBlock.player_id)) == [invitation_blocks.ANYBODY]


def test_whoever_made_the_match_only_calls_it_off(house: House) -> None:
    match_id = invite(house, "Ann", "Bob")
    house.reply(house.only("Ann"), "decline for ever")
    assert "You have declined" in house.only("Ann").flat
    assert not house.all(select(InvitationBlock.player_id))
    assert house.match(match_id).state == MatchState.OVER


def test_strangers_may_be_invited_only_so_often_by_one_person(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle_invitees, "MAX_STRANGERS_PER_DAY", 2)
    house = replace(house, config=replace(house.config, limits=DEFAULT_RATE_LIMITS))
    invite(house, "Ann", "Bob")
    house.reply(house.only("Bob"), "accept")
    for name in ("Cyd", "Dee"):
        invite(house, "Ann", name)
    error = refused(house, "Ann", "Eve")
    assert error.field == "seats.1"
    assert "many new people today" in str(error)
    # Bob has shown that his address is his, and others have invited nobody yet.
    assert invite(house, "Ann", "Bob")
    assert invite(house, "Bob", "Eve")


# -- what an invitation says ---------------------------------------------------------------------------


def test_it_names_who_invites_with_the_address_they_have_shown_to_be_theirs(house: House) -> None:
    invite(house, "Ann", "Bob", words="You will like this one. See https://evil.example!")
    mail = house.only("Bob")
    assert mail.flat.partition("--- ")[2].partition("--- ")[2].startswith("Ann invites you to a match")
    house.reply(mail, "accept")
    invite(house, "Ann", "Bob", words="You will like this one. See https://evil.example!")
    mail = house.last("Bob")
    assert "Ann (ann@example.org) invites you to a match of Martian Whist." in mail.flat
    assert "Ann writes: “You will like this one. See https : //evil. example!”" in mail.flat
    assert "No account, no password, no costs." in mail.flat
    assert "A game for two, without secrets" in mail.flat
    assert "reply “yes” or “no”" in mail.flat
    assert f"/invitation/{mail.token}/decline?ever=person" in mail.text
    assert "evil.example" not in mail.text.replace("evil. example", "")


def test_it_shows_the_game_in_a_picture_with_words_for_those_who_cannot_see_it(house: House) -> None:
    invite(house, "Ann", "Bob")
    mail = house.only("Bob")
    assert 'alt="A picture of Martian Whist, as others play it."' in mail.html
    pictures = [part for part in mail.message.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 1
    assert f"cid:{pictures[0]['Content-ID'].strip('<>')}" in mail.html
    # The text does without it.
    assert "A picture of" not in mail.text
    assert "\n\n\n" not in mail.text
    # What proves a fair deal stands last, for the curious.
    told = ("invites you", "No account", "Accept:", "yes", "fair deal", "Fairness check")
    order = [mail.flat.index(words) for words in told]
    assert order == sorted(order)
