"""Kept lines: what became of them, how many there are, to whom they are shown, and how long they last."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from emails.data_export import stream_zip
from pbem.db.models import KeptLine, Player
from pbem.play.accounts import deletion, merge
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import seat_changes
from pbem.play.matches import kept_lines
from pbem.play.offers import takebacks
from tests.support.house import address
from tests.support.play.matches.kept_lines import keep, listed, play, sitter
from tests.support.play.moderation.avoidance import player

if TYPE_CHECKING:
    from tests.support.house import House

LINE = ("take 7", "take 2", "take 9")
WHOLE = "; ".join(LINE)


@pytest.fixture
def match_id(house: House) -> str:
    """A match of Ann, who is to move, with Bob."""
    return house.start_match("martian-whist", 2)


def became(house: House, match_id: str) -> str:
    """Return what became of Ann's only line."""
    ((line, sentence),) = listed(house, match_id, 1)
    assert line == WHOLE
    return sentence


def test_a_line_comes_true_move_by_move(house: House, match_id: str) -> None:
    keep(house, match_id, 1, "Take 7", "2", "take 9")
    assert became(house, match_id) == "Still possible."
    play(house, match_id, 1, "take 7")
    assert became(house, match_id) == "1 move came true so far."
    play(house, match_id, 2, "take 2")
    assert became(house, match_id) == "2 moves came true so far."
    play(house, match_id, 1, "take 9")
    assert became(house, match_id) == "All of it came true."
    play(house, match_id, 2, "take 1")
    assert became(house, match_id) == "All of it came true."


def test_another_move_ends_a_line_and_is_named(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    play(house, match_id, 1, "take 7")
    play(house, match_id, 2, "take 3")
    assert became(house, match_id) == "1 move came true so far. No longer possible: Bob played take 3."


def test_ones_own_other_move_ends_a_line_too(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    play(house, match_id, 1, "take 8")
    assert became(house, match_id) == "No longer possible: you played take 8."


def test_a_takeback_within_a_line_reopens_it_and_one_before_it_ends_it(house: House, match_id: str) -> None:
    play(house, match_id, 1, "take 1")
    play(house, match_id, 2, "take 20")
    keep(house, match_id, 1, *LINE)
    play(house, match_id, 1, "take 8")
    with house.course(match_id) as (ctx, course):
        takebacks.apply(ctx, course.match, 3, by="seat 1")
    assert became(house, match_id) == "Still possible."
    play(house, match_id, 1, "take 7")
    assert became(house, match_id) == "1 move came true so far."
    with house.course(match_id) as (ctx, course):
        takebacks.apply(ctx, course.match, 2, by="seat 1")
    assert became(house, match_id) == "No longer possible."
    play(house, match_id, 2, "take 20")
    assert became(house, match_id) == "No longer possible."


def test_a_match_that_is_over_leaves_no_line_open(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    house.reply(house.last("Ann"), "resign yes")
    assert became(house, match_id) == "No longer possible."
    with pytest.raises(Refused, match="The match is over"):
        keep(house, match_id, 1, *LINE)


def test_what_another_seat_has_sealed_is_not_learned_from_a_line(house: House) -> None:
    match_id = house.start_match("amazonian-buffet", 2)
    while len(house.match(match_id).to_move) == 1:
        (seat,) = house.match(match_id).to_move
        play(house, match_id, seat, house.legal(match_id, seat)[0])
    own, others = house.legal(match_id, 1)[0], house.legal(match_id, 2)[0]
    keep(house, match_id, 1, own)
    with pytest.raises(Refused, match="depends on what is hidden or drawn"):
        keep(house, match_id, 1, own, others)
    play(house, match_id, 2, others)
    assert listed(house, match_id, 1) == [(own, "Still possible.")]
    play(house, match_id, 1, own)
    assert listed(house, match_id, 1) == [(own, "All of it came true.")]


def test_the_oldest_is_forgotten_for_one_more(house: House, match_id: str) -> None:
    first, *others = [(f"take {mine}", f"take {theirs}") for mine in range(1, 6) for theirs in range(6, 11)]
    assert [keep(house, match_id, 1, *line) for line in (first, *others[:19])] == [False] * 20
    assert keep(house, match_id, 1, *others[19]) is True
    newest = ["; ".join(line) for line in others[19::-1]]
    assert [line for line, _told in listed(house, match_id, 1)] == newest
    assert len(newest) == kept_lines.MAX_LINES


def test_the_lines_of_one_seat_take_no_room_of_another_and_the_same_is_kept_once(
    house: House, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_lines, "MAX_LINES", 1)
    for seat in (1, 2, 1):
        assert keep(house, match_id, seat, *LINE) is False
    assert [len(listed(house, match_id, seat)) for seat in (1, 2)] == [1, 1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ((), "at least one move"),
        (("take 7", "take 21"), "21"),
        (("take 7", "hello"), "The draft is on"),
        (("take 7",) * 21, "at most 20 moves and 4000 characters"),
        (("take 7" * 1000,), "at most 20 moves and 4000 characters"),
    ],
    ids=["empty", "illegal", "no move", "many", "long"],
)
def test_what_is_no_line_is_refused_and_nothing_is_kept(
    house: House, match_id: str, line: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        keep(house, match_id, 1, *line)
    assert listed(house, match_id, 1) == []


# -- the turn mail -------------------------------------------------------------------------------------


def test_the_turn_mail_names_what_is_left_of_the_lines_that_are_possible_to_their_seat_alone(
    house: House, match_id: str
) -> None:
    mail = house.last("Ann")
    house.mails("Bob")
    for line in (("take 8", "take 9"), LINE):
        keep(house, match_id, 1, *line)
    house.reply(mail, "take 7")
    reply = house.only("Bob")
    assert "You kept" not in reply.text
    house.reply(reply, "take 2")
    assert "You kept: take 9." in house.last("Ann").flat
    assert "You kept" not in "".join(one.text + one.html for one in house.every_mail if one.name == "Bob")


def test_a_turn_mail_without_possible_lines_names_none(house: House, match_id: str) -> None:
    mail = house.last("Ann")
    house.mails("Bob")
    keep(house, match_id, 1, *LINE)
    house.reply(mail, "take 8")
    house.reply(house.only("Bob"), "take 2")
    assert "You kept" not in house.last("Ann").text


def test_a_turn_mail_names_few_lines_and_counts_the_others(
    house: House, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_lines, "MAX_CHARS_PER_MAIL", 22)
    mail = house.last("Ann")
    house.mails("Bob")
    for last in (9, 10, 11, 12, 13):
        keep(house, match_id, 1, "take 7", "take 2", f"take {last}", "take 3", "take 4")
    house.reply(mail, "take 7")
    house.reply(house.only("Bob"), "take 2")
    named = " – ".join(f"take {last}; take 3; …" for last in (13, 12, 11))
    assert f"You kept: {named}; and 2 more lines." in house.last("Ann").flat


# -- people --------------------------------------------------------------------------------------------


def test_who_takes_a_seat_over_does_not_see_the_lines_of_who_left_it(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    with house.course(match_id) as (ctx, course):
        gone = sitter(ctx, match_id, 1)
        zoe = player(ctx, "Zoe")
        seat_changes.replace_holder(ctx, course.match, gone, zoe, address("Zoe"), by="operator")
        ctx.session.flush()
        assert kept_lines.list_kept(ctx, course, gone) == []
    assert listed(house, match_id, 1) == []
    assert "You kept" not in house.last("Zoe").text
    assert len(house.all(select(KeptLine))) == 1


def test_merged_accounts_have_the_lines_of_both(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    with house.transaction() as ctx:
        merge.merge(ctx, player(ctx, "Ann"), player(ctx, "Dee"))
    assert house.all(select(Player.name).join(KeptLine)) == ["Dee"]
    assert became(house, match_id) == "Still possible."


def test_a_deleted_account_takes_its_lines_along(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)
    keep(house, match_id, 2, *LINE)
    house.reply(house.last("Ann"), "resign yes")
    with house.transaction() as ctx:
        deletion.delete(ctx, player(ctx, "Ann"))
    assert house.all(select(Player.name).join(KeptLine)) == ["Bob"]


def test_lines_are_in_the_file_of_ones_own_data_alone(house: House, match_id: str) -> None:
    keep(house, match_id, 1, *LINE)

    def lines(name: str) -> list[tuple[str, int, int, list[str]]]:
        (who,) = house.all(select(Player.id).where(Player.name == name))
        packed = ZipFile(io.BytesIO(b"".join(stream_zip(house.engine, house.config, who))))
        found = json.loads(packed.read("data.json"))["kept_lines"]
        return [(one["match_id"], one["seat"], one["step"], one["moves"]) for one in found]

    assert lines("Ann") == [(match_id, 1, 0, [*LINE])]
    assert lines("Bob") == []
