"""What players say to each other, alone and below their moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ChatMessage, LogEntry, Player, SeatHolder
from pbem.play.chat import messages as chat_messages
from pbem.states import MatchState
from tests.support.house import address, reply

if TYPE_CHECKING:
    from tests.support.house import House, Mail


# -- what is words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Good luck!"], "Good luck!"),
        (["", "Good luck,", "and have fun.", ""], "Good luck, and have fun."),
        (["Nice move!", "Best regards,", "Ann"], "Nice move!"),
        (["Nice move!", "", "Best, Ann"], "Nice move!"),
        (["Nice move!", "", "Ann"], "Nice move!"),
        (["Nice move!", "", "- Ann Smith"], "Nice move!"),
        (["Gut gespielt!", "", "Viele Grüße", "Ann", "Tel. 030 12345"], "Gut gespielt!"),
        (["Gut gespielt!", "Mit freundlichen Grüßen", "Ann Smith", "Musterweg 1"], "Gut gespielt!"),
        (["Well played!", "LG", "Ann"], "Well played!"),
        (["Thanks"], "Thanks"),
        (["Best of all", "would be a draw"], "Best of all would be a draw"),
        (["Best regards", "Ann"], ""),
        (["Best, Ann"], ""),
        ([""], ""),
        (["9H", "That hurt"], "That hurt"),
        (["6-4 3-off"], ""),
        (["TS", "ace of spades", "Herz Ass", "R3/G2/R1", "small red", "hands AS KS | QS JS | TS 9S"], ""),
        (["I hold the ace of spades!"], "I hold the ace of spades!"),
        (["see you at 8"], "see you at 8"),
    ],
)
def test_words_are_what_is_no_signature_and_no_move(lines: list[str], said: str) -> None:
    assert chat_messages.message_text(lines, "Ann Smith") == said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("a\tb\r\nc\0d\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}e", "a b c d [31m e"),
        ("write to bob@evil.example", "write to bob at evil. example"),
        ("see https://evil.example/x", "see https : //evil. example/x"),
        ("www.evil.example", "www. evil. example"),
        ("WWW.x.org", "WWW. x. org"),
        ("it is 3.5 to 2, e.g. now", "it is 3.5 to 2, e.g. now"),
        ("he said “no” and „nie“", "he said 'no' and 'nie'"),
        ("x" * 50, "x" * 39 + "…"),
    ],
)
def test_what_is_said_misleads_nobody(typed: str, said: str) -> None:
    assert chat_messages.sanitise(typed) == said


def test_what_is_said_is_cut_where_it_is_too_long() -> None:
    assert len(chat_messages.sanitise("word " * 500)) == chat_messages.MAX_CHARS


# -- say -----------------------------------------------------------------------------------------------


def messages(house: House) -> list[tuple[int, int, str]]:
    return [
        tuple(row)
        for row in house.rows(select(ChatMessage.seat, ChatMessage.ply, ChatMessage.text).order_by(ChatMessage.id))
    ]


def test_say_goes_to_the_others_in_a_mail_of_its_own(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    for name in ("Bob", "Cyd"):
        house.mails(name)
    house.reply(house.last("Ann"), "say Good luck to you both!\nI may be slow.\n\nBest regards,\nAnn")
    assert "Your message went to the table." in house.only("Ann").flat
    assert "“Good luck to you both! I may be slow.”" in house.every_mail[-1].flat
    for name in ("Bob", "Cyd"):
        told = house.only(name)
        assert "Ann wrote to the table." in told.flat
        assert "Ann says: “Good luck to you both! I may be slow.”" in told.flat
    # It is told once, and never part of the log.
    house.reply(house.every_mail[-3], "stay")
    assert "Good luck" not in house.only("Bob").flat
    assert house.match(match_id).log_length == 1
    assert house.all(select(LogEntry.move)) == ["stay"]


def test_a_move_below_what_is_said_is_played(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.mails("Bob")
    house.reply(house.last("Ann"), "say Here I go!\n\nstay")
    assert house.match(match_id).log_length == 1
    assert messages(house) == [(1, 1, "Here I go!")]
    said = "".join(mail.flat for mail in house.mails("Bob"))
    assert said.count("Ann says: “Here I go!”") == 1
    assert "It is your turn." in said


def test_a_player_alone_has_nobody_to_talk_to(house: House) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "say hello")
    assert "is not possible now" in house.only("Ann").flat
    assert not messages(house)


def test_who_has_said_a_lot_says_no_more_today(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_messages, "MAX_PER_DAY", 1)
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "say one")
    house.reply(house.only("Ann"), "say two")
    assert "Please try again tomorrow." in house.only("Ann").flat
    assert messages(house) == [(1, 1, "one")]


def test_talk_goes_on_when_the_match_is_over(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Bob"), "resign yes")
    house.mails("Ann")
    house.reply(house.last("Cyd"), "say Thank you both!")
    assert "Cyd says: “Thank you both!”" in house.only("Ann").flat


# -- below a move --------------------------------------------------------------------------------------


def test_words_below_a_move_wait_for_one_yes(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.mails("Bob")
    house.reply(house.last("Ann"), "stay\n\nSorry for the delay!\nAnn")
    assert house.match(match_id).log_length == 1
    asked = next(mail for mail in house.mails("Ann") if "May the table read" in mail.flat)
    assert "This time you wrote: “Sorry for the delay!” Nobody has read it yet." in asked.flat
    assert "delay" not in house.only("Bob").flat
    assert messages(house) == [(1, 0, "Sorry for the delay!")]
    house.reply(asked, "yes")
    assert "From now on what you write below your moves goes to Bob and Cyd." in house.only("Ann").flat
    assert "What you wrote last goes with the next mail." in house.every_mail[-1].flat
    assert not house.mails("Bob")
    # The next stage's mail tells it, and once.
    for seat, name in ((1, "Ann"), (2, "Bob"), (3, "Cyd")):
        with house.transaction():
            card = house.legal(match_id, seat)[0]
        house.reply(asked if name == "Ann" else newest(house, name), card)
    told = [mail for mail in house.mails("Bob") if "It is your turn" in mail.flat]
    assert "Ann says: “Sorry for the delay!”" in told[-1].flat
    assert house.all(select(SeatHolder.shares_text).order_by(SeatHolder.seat)) == [True, None, None]


def newest(house: House, name: str) -> Mail:
    house.mails(name)
    return next(mail for mail in reversed(house.every_mail) if mail.name == name)


def test_who_has_agreed_is_heard_with_the_next_mail_and_sees_in_the_receipt_what_was_said(house: House) -> None:
    house.start_match("middle-card", 3)
    agree(house, "Bob")
    house.reply(house.last("Ann"), "stay")
    house.reply(house.last("Bob"), f"{house.legal(house.match_ids()[0], 2)[0]}\nHave fun!\n\nBob")
    receipt = house.only("Bob")
    assert "Your move was played." in receipt.flat
    assert "“Have fun!”" in receipt.flat
    house.mails("Ann")
    house.mails("Cyd")
    match_id = house.match_ids()[0]
    for seat, name in ((1, "Ann"), (3, "Cyd")):
        house.reply(newest(house, name), house.legal(match_id, seat)[0])
    for name in ("Ann", "Cyd"):
        told = [mail for mail in house.mails(name) if "Bob says" in mail.flat]
        assert ["Bob says: “Have fun!”" in mail.flat for mail in told] == [True]


def agree(house: House, name: str) -> None:
    with house.transaction() as ctx:
        ctx.session.scalars(select(SeatHolder).where(SeatHolder.name == name)).one().shares_text = True


def test_no_keeps_words_from_the_table_and_yes_changes_that(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay\n\nWell.")
    asked = next(mail for mail in house.mails("Ann") if "May the table read" in mail.flat)
    house.reply(asked, "no")
    refused = house.only("Ann")
    assert "Nobody reads what you write below your moves." in refused.flat
    assert not messages(house)
    house.reply(refused, f"{house.legal(house.match_ids()[0], 1)[0]}\n\nStill thinking.")
    assert not messages(house)
    assert all("May the table" not in mail.flat for mail in house.mails("Ann"))
    house.reply(refused, "ja")
    once_more = house.only("Ann")
    assert "You wrote “yes” in reply to a mail about an earlier turn" in once_more.flat
    house.reply(once_more, "ja")
    again = house.only("Ann")
    assert "From now on what you write below your moves goes to Bob and Cyd." in again.flat
    assert "What you wrote last" not in again.flat
    house.reply(again, "nein")
    assert house.all(select(SeatHolder.shares_text).order_by(SeatHolder.seat)) == [False, None, None]


def test_yes_to_an_offer_lets_nobody_read_what_was_written(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay\n\nI hold nothing but low cards.")
    house.reply(house.last("Bob"), "draw")
    offered = next(mail for mail in house.mails("Ann") if "offers a draw" in mail.flat)
    house.reply(offered, "yes")
    held = [(1, 0, "I hold nothing but low cards.")]
    assert messages(house) == held
    assert house.all(select(SeatHolder.shares_text)) == [None] * 3
    # Refused since, so that nothing at all waits for a yes but the question about the words.
    house.reply(house.last("Cyd"), "no")
    house.reply(offered, "yes")
    assert "This proposal is no longer open" in house.last("Ann").flat
    # A mail that answers none of ours may mean anything.
    unasked = reply(offered, "yes")
    del unasked["In-Reply-To"]
    assert house.send(unasked.as_bytes(), offered.reply_to, address("Ann")).code == 250
    house.judge(match_id)
    assert "reply “yes” to the mail that asks about it" in house.last("Ann").flat
    assert messages(house) == held
    assert house.all(select(SeatHolder.shares_text)) == [None] * 3


def test_only_the_newest_words_wait_and_nobody_is_asked_twice(house: House) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "stay\n\nOne.")
    assert len([mail for mail in house.mails("Ann") if "May the table" in mail.flat]) == 1
    house.reply(house.every_mail[-1], f"{house.legal(match_id, 1)[0]}\n\nTwo.")
    assert not [mail for mail in house.mails("Ann") if "May the table" in mail.flat]
    assert messages(house) == [(1, 0, "Two.")]


@pytest.mark.parametrize("typed", ["ok\n\nstay", "yes, I stay\n\nstay", "no\nstay"])
def test_yes_above_a_move_is_no_command(house: House, typed: str) -> None:
    match_id = house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), typed)
    assert house.all(select(LogEntry.move)) == ["stay"]
    assert house.match(match_id).log_length == 1


def test_yes_where_nobody_asked_is_told_what_a_move_looks_like(house: House) -> None:
    house.start_match("middle-card", 3)
    house.reply(house.last("Ann"), "yes")
    assert "You wrote “yes”." in house.only("Ann").flat


def test_a_card_named_below_a_move_never_goes_to_the_table(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    leader = next(seat for seat in (1, 2) if house.legal(match_id, seat))
    name = ("Ann", "Bob")[leader - 1]
    agree(house, name)
    card, other, *_ = house.legal(match_id, leader)
    house.reply(house.last(name), f"{card}\n{other}\nlead {other}\nYour turn, my friend.")
    assert messages(house) == [(leader, 2, "Your turn, my friend.")]


def test_no_declines_an_invitation(house: House) -> None:
    match_id = house.make("middle-card", 3)
    house.reply(house.last("Bob"), "nein")
    assert house.match(match_id).state == MatchState.OVER


def test_a_player_who_wants_links_only_is_asked_without_the_words(house: House) -> None:
    house.start_match("middle-card", 3)
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(link_only=True))
    house.reply(house.last("Ann"), "stay\n\nI hold the seven.")
    asked = next(mail for mail in house.mails("Ann") if "May the table read" in mail.flat)
    assert "seven" not in asked.flat
    house.reply(asked, "yes")
    assert "From now on what you write below your moves goes to Bob and Cyd." in house.only("Ann").flat
