"""The files in a real browser without any network: opened from the disk, walked through, and spoiled."""

from __future__ import annotations

import copy
import json
import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pbem.boards import drawing_for
from pbem.games import find
from pbem.games.chain import MoveEntry
from pbem.games.record import NotARecordError, parse_record
from pbem.games.record_text import format_text
from pbem.games.verify import UnsoundError, verify
from pbem.records.page import viewer_page
from pbem.records.page.contents import build_contents
from tests.support.games.small_record import random_match, share
from tests.support.records.page.files import NASTY, packed, page_of, record_of, source, with_packed, with_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


GAMES = ("amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk")
DONE = "html[data-checked]"


@contextmanager
def offline(browser: Browser, **looks: Any) -> Iterator[Page]:
    """Somebody's browser without a network; whatever a page asks for, says or breaks is a failure."""
    context = browser.new_context(**looks)
    context.set_offline(True)
    context.set_default_timeout(180_000)
    page = context.new_page()
    wrong: list[str] = []
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(("file:", "blob:")) else None)
    yield page
    assert wrong == []
    context.close()


@cache
def page_for(game: str) -> str:
    return page_of(record_of(game))


def opened(page: Page, folder: Path, written: str, step: str = "") -> None:
    file = folder / "replay.html"
    file.write_text(written, encoding="utf-8")
    page.goto(f"{file.as_uri()}{step}")
    page.wait_for_selector(DONE)


def checks(page: Page) -> list[str]:
    return [line.inner_text() for line in page.query_selector_all("#checks li")]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_opens_is_checked_and_is_walked_through(browser: Browser, tmp_path: Path, game: str) -> None:
    record = record_of(game)
    texts = build_contents(source(record)).everything.texts
    last = len(record.log)
    with offline(browser) as page:
        opened(page, tmp_path, page_for(game), "#2")
        assert page.locator("#checks .fails").count() == 0
        assert len(checks(page)) == 6

        def board() -> str:
            assert page.locator("#picture svg").count() == 1
            return page.locator("#text").text_content() or ""

        assert board() == texts[2]
        for key, step in (("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 0), ("End", last), ("ArrowRight", last)):
            page.keyboard.press(key)
            assert board() == texts[step]
            assert page.evaluate("location.hash") == f"#{step}"
        page.locator("#first").click()
        page.locator("#next").click()
        assert page.locator("#number").inner_text() == f"Step 1 of {last}"
        assert "Why not <i>there</i>?" in page.locator("#remarks").inner_text()
        page.locator("#step").fill("3")
        assert board() == texts[3]
        page.evaluate("location.hash = '#0'")
        page.wait_for_selector("#number:has-text('Step 0')")
        assert board() == texts[0]


def test_a_file_plays_by_itself_and_shows_what_a_seat_saw(browser: Browser, tmp_path: Path) -> None:
    record = record_of("montauk")
    seen = build_contents(source(record)).seats[1]
    with offline(browser) as page:
        opened(page, tmp_path, page_for("montauk"), "#0")
        page.locator("#seen").select_option(index=2)
        assert page.locator("#text").text_content() == seen.texts[0]
        page.locator("#speed").select_option(index=2)
        page.keyboard.press(" ")
        assert page.locator("#play").inner_text() == "Pause"
        page.locator("#number", has_text=re.compile(r"Step ([2-9]|1\d) ")).wait_for()
        page.keyboard.press("ArrowLeft")
        assert page.locator("#play").inner_text() == "Play"
        # However far it had come until the key was pressed.
        number = re.match(r"Step (\d+) ", page.locator("#number").inner_text())
        assert number is not None
        assert int(number[1]) > 0
        assert page.locator("#text").text_content() == seen.texts[int(number[1])]
        with page.expect_download() as saving:
            page.locator("#save").click()
        saving.value.save_as(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_bytes()) == record.data()


def test_a_finger_wipes_to_the_next_step(browser: Browser, tmp_path: Path) -> None:
    wipe = """([from, to]) => {
        const board = document.getElementById("picture");
        const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 200 });
        board.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], changedTouches: [touch(from)] }));
        board.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(to)] }));
    }"""
    with offline(browser, viewport={"width": 360, "height": 740}, has_touch=True, color_scheme="dark") as page:
        opened(page, tmp_path, page_for("minimax"), "#1")
        for way, step in (([300, 100], 2), ([100, 300], 1), ([100, 110], 1)):
            page.evaluate(wipe, way)
            assert page.locator("#number").inner_text().startswith(f"Step {step} ")
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_file_opens_at_the_deal_as_the_page_does(browser: Browser, tmp_path: Path) -> None:
    with offline(browser) as page:
        opened(page, tmp_path, page_for("minimax"))
        assert page.locator("#number").inner_text().startswith("Step 0 ")


def test_without_scripts_a_file_is_a_list_with_boards(browser: Browser, tmp_path: Path) -> None:
    record = record_of("martian-whist")
    with offline(browser, java_script_enabled=False) as page:
        file = tmp_path / "replay.html"
        file.write_text(page_for("martian-whist"), encoding="utf-8")
        page.goto(file.as_uri())
        assert not page.locator("#player").is_visible()
        lines = page.locator("#steps > li")
        assert lines.count() == len(record.log) + 1
        for number, line in enumerate(lines.all()):
            assert line.locator("pre").is_visible()
            entry = record.log[number - 1] if number else None
            assert not isinstance(entry, MoveEntry) or entry.move in line.inner_text()
        assert NASTY[0] in page.locator("#steps").inner_text()


# -- what does not hold ------------------------------------------------------------------------------------


def spoiled(data: Any, path: tuple[Any, ...]) -> Any:
    """Change one letter of a record."""
    changed = copy.deepcopy(data)
    *way, last = path
    inner = changed
    for key in way:
        inner = inner[key]
    value = inner[last]
    inner[last] = value + 1 if isinstance(value, int) else ("1" if value[0] != "1" else "2") + value[1:]
    return changed


def judged(data: Any) -> str:
    """Return what `pbem verify` finds wrong."""
    with pytest.raises((UnsoundError, NotARecordError)) as found:
        list(verify(parse_record(data), find))
    return str(found.value)


def entry_in(sentence: str) -> str | None:
    named = re.match(r"Entry (\d+) ", sentence)
    return named and named[1]


CHANGES = (
    (("log", 4, "move"), "Entry 5 of the log does not hold"),
    (("log", 6, "salt"), "Entry 7 of the log does not hold"),
    (("log", 2, "at"), "Entry 3 of the log does not hold"),
    (("log", 3, "ply"), "Entry 5 of the log does not hold: ply 5 was used before"),
    (("seed",), "The seed does not hold"),
    (("secret",), "The commitment does not hold"),
    (("commitment",), "The commitment does not hold"),
    (("entropies", 1), "The seed does not hold"),
    (("match",), "The seed does not hold"),
    (("head",), "The chain does not hold"),
)


def test_a_changed_letter_is_found_by_the_file_and_by_the_command(browser: Browser, tmp_path: Path) -> None:
    page_before, data = page_for("montauk"), record_of("montauk").data()
    with offline(browser) as page:
        for path, expected in CHANGES:
            changed = spoiled(data, path)
            by_command = judged(changed)
            opened(page, tmp_path, with_record(page_before, changed))
            (said,) = [line.inner_text() for line in page.query_selector_all("#checks .fails")]
            assert said.startswith(expected), (path, said)
            # The file has the mails' hashes and so may know the entry where the command knows the chain only.
            assert entry_in(by_command) in (None, entry_in(said)), (path, by_command, said)


def test_a_changed_draw_an_entry_too_few_and_other_seats_are_found(browser: Browser, tmp_path: Path) -> None:
    whole, data = page_for("martian-whist"), record_of("martian-whist").data()
    log: Any = data["log"]
    held = packed(whole)
    held["beside"]["draws"][0]["drawn"][0]["gave"][0] = "X"
    cases = (
        (with_record(whole, data | {"log": log[:-1]}), "The chain does not hold: the log has"),
        (with_record(whole, data | {"log": [*log, log[-1]]}), "The chain does not hold: the log has"),
        (with_record(whole, data | {"log": [log[0], *log]}), "Entry 2 of the log does not hold: ply 1 was used"),
        (with_record(whole, data | {"options": {"sets": 2}}), "The chain does not hold from its beginning"),
        (with_record(whole, data | {"entropy_by": ["player"] * 2}), "The entropy of seat "),
        (with_record(whole, data | {"entropy_by": ["__proto__"] * 2}), "The entropy of seat 1 does not hold"),
        (with_record(whole, data | {"seats": ["Ann"]}), "The numbers of seats and entropies differ."),
        (with_packed(whole, held), "The draw at step 0 does not hold"),
    )
    with offline(browser) as page:
        for written, expected in cases:
            opened(page, tmp_path, written)
            assert checks(page)[-1].startswith(expected)


def test_the_deal_that_a_match_shares_is_derived_again(browser: Browser, tmp_path: Path) -> None:
    record = random_match("martian-whist", 6, share("martian-whist"))
    late = random_match("martian-whist", 6, share("martian-whist", place=9, tables=1))
    whole, data = page_of(record), record.data()
    own: Any = data["set"]
    entropies = [*record.shared.entropies] if record.shared else []
    changed = [("0" if at == 5 else entropy[0]) + entropy[1:] for at, entropy in enumerate(entropies)]
    assert changed != entropies
    cases = (
        (whole, "The deal is shared: one deal for tables 1 to 3; this is table 2."),
        (page_of(late), "one deal for tables 1 to 1; this table joined after it was dealt."),
        (with_record(whole, data | {"set": {"id": "a", "place": 2, "entropies": entropies}}), "The seed does not hold"),
        (with_record(whole, data | {"set": {"id": "a", "place": 1, "entropies": entropies}}), "The shared deal does"),
        (with_record(whole, data | {"set": {"id": "a", "place": 2, "entropies": []}}), "The shared deal does not"),
        (with_record(whole, data | {"set": own | {"entropies": changed}}), "The seed does not hold"),
    )
    viewer, file = tmp_path / "viewer.html", tmp_path / "record"
    viewer.write_text(viewer_page(), encoding="utf-8")
    with offline(browser) as page:
        for written, expected in cases:
            opened(page, tmp_path, written)
            assert any(expected in line for line in checks(page)), (expected, checks(page))
        page.goto(viewer.as_uri())
        for written in (json.dumps(data), format_text(record)):
            file.write_text(written, encoding="utf-8")
            assert "this is table 2." in look_at(page, file)
        wrongs: tuple[Any, ...] = (None, {}, own | {"place": "2"}, own | {"entropies": [1]})
        for wrong in wrongs:
            file.write_text(json.dumps(data | {"set": wrong}), encoding="utf-8")
            assert look_at(page, file).startswith("This record is not valid: “set” cannot be")


# -- the file that opens any record --------------------------------------------------------------------------


def look_at(page: Page, file: Path) -> str:
    """Open a record, and give what is said of it: each check, or what is wrong."""
    page.evaluate("delete document.documentElement.dataset.checked")
    page.evaluate("document.getElementById('file').value = ''")
    page.set_input_files("#file", file)
    page.wait_for_selector(DONE)
    return page.locator("#wrong").inner_text() if page.locator("#wrong").is_visible() else "\n".join(checks(page))


def test_any_record_opens_in_either_form(browser: Browser, tmp_path: Path) -> None:
    viewer, record = tmp_path / "viewer.html", tmp_path / "record"
    viewer.write_text(viewer_page(), encoding="utf-8")
    with offline(browser) as page:
        page.goto(viewer.as_uri())
        for game in (*GAMES, "middle-card"):
            made = record_of(game)
            for written in (
                json.dumps(made.data(), ensure_ascii=False),
                format_text(made),
                format_text(made).replace("\n", "\r\n"),
            ):
                record.write_text(written, encoding="utf-8", newline="")
                said = look_at(page, record)
                assert f"The chain holds, to the head {made.head.hex()[:16]}… (entries: {len(made.log)})." in said, said
                assert page.locator("#steps li").count() == len(made.log)
                assert page.locator("#players").inner_text() == ", ".join(made.seats)
                assert page.locator("#checks .fails").count() == 0


def test_what_is_no_record_or_a_spoiled_one_gets_one_clear_sentence(browser: Browser, tmp_path: Path) -> None:
    viewer, file = tmp_path / "viewer.html", tmp_path / "record"
    viewer.write_text(viewer_page(), encoding="utf-8")
    data = record_of("middle-card").data()
    plain, text = json.dumps(data, ensure_ascii=False), format_text(record_of("middle-card"))
    log: Any = data["log"]
    cases = (
        ("hello", "This is not a record: it is neither JSON nor a record’s text form."),
        ("[1]", "This is not a record: it does not say “format”"),
        ("{}", "This is not a record: it does not say “format”"),
        (
            plain[: plain.index('"salt"', plain.index('"ply": 3'))],
            "This record is not valid: after 2 entries of the log",
        ),
        (text[: text.index("[Salts")], "This record is not valid: line "),
        (text.replace("1. (1)", "1. (x)"), "This record is not valid: line "),
        (json.dumps({**data, "edition": 1.5}), "This record is not valid: 1.5 is not a whole number"),
        (json.dumps({key: value for key, value in data.items() if key != "seed"}), "This record is not valid: “seed”"),
        (json.dumps({**data, "head": "AB"}), "This record is not valid: “head” cannot be “AB”."),
        (json.dumps({**data, "match": "\ud800"}), "This is not a record: it contains what cannot be written as text."),
        (json.dumps({**data, "log": [{"ply": 1}]}), "This record is not valid: “entry 1 of the log” cannot be "),
        (json.dumps({**data, "log": log[:-1]}), "The commitment holds"),
        (json.dumps({**data, "result": {"ending": "won", "winners": NASTY[0], "scores": 1}}), "The commitment holds"),
    )
    with offline(browser) as page:
        page.goto(viewer.as_uri())
        for written, expected in cases:
            file.write_text(written, encoding="utf-8")
            said = look_at(page, file)
            assert said.startswith(expected), said
            # Of a record that can be read, the last line says what does not hold.
            assert "does not hold" in said if expected.startswith("The") and "holds" in expected else "\n" not in said
        with file.open("wb") as large:
            large.truncate(100 << 20)
        assert look_at(page, file) == "This is not a record: it is larger than 32 MB."


def test_a_file_looks_well_on_a_phone_and_on_paper(browser: Browser, tmp_path: Path) -> None:
    with offline(browser, viewport={"width": 360, "height": 740}) as page:
        opened(page, tmp_path, page_for("martian-trickery"))
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert not page.locator("#steps pre").first.is_visible()
        page.emulate_media(media="print")
        assert page.locator("#steps pre").first.is_visible()
        assert not page.locator("#play").is_visible()
        assert drawing_for("martian-trickery").key in page.content()
