"""A match in one file: what is in it, and what nothing in it can do."""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import GAMES, Chance
from pbem.games.chance import RecordingChance
from pbem.games.record import NotARecordError
from pbem.i18n import use_locale
from pbem.records.file_parsing import read_bytes
from pbem.records.page import content_security_policy, replay_page, viewer_page
from pbem.records.page import page as pages
from pbem.records.page.contents import build_contents, draw_data
from pbem.records.page.pieces import Pieces
from tests.support.games.small_record import random_match
from tests.support.records.page.files import NASTY, packed, page_of, record_in, record_of, source

FIRST = 0x80


def whole(pieces: list[str], signs: str) -> str:
    numbers = (ord(sign) - FIRST for sign in signs)
    return "".join(pieces[number - 0x800 if number >= 0xD800 - FIRST else number] for number in numbers)


@pytest.mark.parametrize("game", GAMES)
def test_a_file_holds_the_record_and_the_boards_of_all_steps_as_each_seat_saw_them(game: str) -> None:
    record = record_of(game)
    page, contents = page_of(record), build_contents(source(record))
    assert record_in(page) == record.data()
    held = packed(page)
    assert len(held["seen"]) == 1 + len(contents.seats)
    for number, seen in enumerate((contents.everything, *contents.seats)):
        assert tuple(whole(held["pieces"], step[number]) for step in held["pictures"]) == seen.pictures
        assert tuple(whole(held["pieces"], step[number]) for step in held["texts"]) == seen.texts
        assert [tuple(step[number]) for step in held["told"]] == [*seen.sentences]
    assert len(held["told"]) == len(held["legal"]) == len(held["beside"]["heads"]) == len(record.log) + 1
    assert page.count("<pre>") >= len(record.log) + 1
    assert len(page.encode()) < 200_000


@pytest.mark.parametrize("game", GAMES)
def test_a_file_is_read_as_the_record_in_it(game: str) -> None:
    record = record_of(game)
    assert read_bytes(page_of(record).encode()) == record


def test_a_page_without_a_record_is_none() -> None:
    with pytest.raises(NotARecordError):
        read_bytes(b"<!doctype html><title>Something else</title>")


def test_only_games_with_secrets_show_what_each_seat_saw() -> None:
    assert build_contents(source(record_of("minimax"))).seats == ()
    seen = build_contents(source(record_of("montauk"))).seats
    assert [one.seat for one in seen] == [1, 2]
    assert seen[0].texts[0] != seen[1].texts[0]


def test_a_page_may_run_its_own_script_and_nothing_else() -> None:
    for page in (page_of(record_of("minimax")), viewer_page()):
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        script, style = (
            base64.b64encode(sha256(text.encode()).digest()).decode() for (text,) in ([*scripts], [*styles])
        )
        assert content_security_policy(page) == (
            f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; base-uri 'none'; "
            "form-action 'none'"
        )
        assert not re.search(r"""<[^>]*\s(?:src|href)="(?!#)|<[^>]*\sstyle=|url\(|@import""", page)


def test_names_and_comments_are_never_markup() -> None:
    page = page_of(record_of("martian-whist"))
    assert "<img" not in page
    assert "<b>Bob" not in page
    assert "<i>there" not in page
    assert "Why not &lt;i&gt;there&lt;/i&gt;?" in page
    assert record_in(page)["seats"] == list(NASTY[:2])


def test_a_file_speaks_the_language_of_whoever_asks_for_it() -> None:
    with use_locale("de"):
        page = page_of(record_of("minimax"))
    assert '<html lang="de">' in page
    assert "Jeder Schritt" in page


def test_a_long_match_has_fewer_boards_as_text_and_a_longer_one_only_what_all_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contents = build_contents(source(record_of("montauk", 16)))
    usual = replay_page(contents)
    monkeypatch.setattr(pages, "TARGET_BYTES", len(usual.encode()) - 1)
    longer = replay_page(contents)
    assert len(longer.encode()) < len(usual.encode())
    assert 2 <= longer.count("<pre>") < usual.count("<pre>")
    assert len(packed(longer)["seen"]) == 3
    monkeypatch.setattr(pages, "TARGET_BYTES", 10_000)
    assert len(packed(replay_page(contents))["seen"]) == 1


@pytest.mark.parametrize("game", ["martian-trickery", "montauk"])
def test_whole_matches_of_the_longest_games_fit_with_what_each_seat_saw(game: str) -> None:
    record = random_match(game, 400)
    assert record.result["ending"] == "finished"
    page = replay_page(build_contents(source(record)))
    assert len(page.encode()) < 200_000
    assert len(packed(page)["seen"]) == 1 + len(record.seats)


def test_a_game_that_is_not_known_here_any_more_still_has_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = build_contents(source(record_of("middle-card")))
    monkeypatch.delitem(GAMES, "middle-card")
    assert "<h1>middle-card</h1>" in replay_page(contents)


@given(st.lists(st.text(st.sampled_from("ab<>\n")), max_size=6))
def test_pieces_make_the_same_texts_again(texts: list[str]) -> None:
    pieces = Pieces(texts)
    assert [whole(list(pieces.all_pieces), pieces.encode(text)) for text in texts] == texts


def test_pieces_may_be_more_than_there_are_signs_before_the_surrogates() -> None:
    texts = [f"{number}\n" for number in range(56_000)]
    pieces = Pieces(texts)
    listed = list(pieces.all_pieces)
    assert all(whole(listed, pieces.encode(text)) == text for text in texts)
    assert "".join(map(pieces.encode, texts)).encode()


def test_draws_are_told_and_are_the_same() -> None:
    telling, usual = RecordingChance(b"s" * 32), Chance(b"s" * 32)
    items = (("R", 1), ("G", 2), "AS", 7)
    assert telling.shuffle("deal", items) == usual.shuffle("deal", items)
    assert telling.rolls("dice", 2) == usual.rolls("dice", 2)
    assert telling.stream("hair").below(2) == usual.stream("hair").below(2)
    said: Any = [draw_data(draw) for draw in telling.taken()]
    assert said[0]["items"] == ["R/1", "G/2", "AS", "7"]
    assert sorted(said[0]["gave"]) == sorted(said[0]["items"])
    assert [one + 1 for one in said[1]["gave"]] == list(usual.rolls("dice", 2))
    assert said[1]["below"] == [6, 6]
    assert said[2] == {"label": "hair", "below": [2], "gave": [usual.stream("hair").below(2)]}
    assert telling.taken() == ()
