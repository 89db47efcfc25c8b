"""What is cut and what must never be: a line that looks like a move survives above every kind of quoted text."""

from __future__ import annotations

import pytest

from emails.parsing import html_text
from emails.parsing.reply_marker import MARKER, marker
from tests.support.emails.parsing.quotes import BLOCKS, INTRODUCTIONS, QUOTED, cut, tails

OUTLOOK_SIGNATURES = [
    "Get Outlook for Android{}", "Holen Sie sich Outlook für iOS{}", "Hämta Outlook för iOS{}",
    "Hanki Outlook for iOS{}",
    "Pobierz program Outlook dla systemu iOS{}", "Androidos Outlookból{} küldve", "iOS 版 Outlook を入手する{}",
    "获取适用于 Android 的 Outlook{}", "Senda úr Outlook fyrir Android{}", "Obter o Outlook para iOS{}",
]  # fmt: skip
GERMAN = "Bitte oberhalb dieser Zeile antworten"
UNKNOWN = marker("3k9f2a", "Répondez au-dessus de cette ligne")
"""A marker in a language whose words the reader does not have is known by its form."""
MOVES = [
    "take 7", "7", "7.", "R3/G2/R1", "sow c B3, G2 on G3, R2", "6-4 3-off", "9H", "R2 7H", "a1-c3 f3",
    "hands AS KS | 9D | -", "keep", "pass", "accept", "-", "- A1", "-5", "--5", "From: e2", "To: e4", "Date: 12",
    "On d4", "Am Zug: e4", "Le fou e4", "queen of spades", "♠A", "e2 → e4", "draw?", "END", "R1 on 3", "On 3",
]  # fmt: skip


@pytest.mark.parametrize("between", ["\n", "\n\n"], ids=["no blank line", "blank line"])
@pytest.mark.parametrize("move", MOVES)
def test_a_move_above_anything_is_the_first_line(move: str, between: str) -> None:
    below = [f"{introduction}\n{QUOTED}" for introduction in INTRODUCTIONS] + BLOCKS + tails()
    assert [tail for tail in below if cut(move + between + tail)[:1] != (move,)] == []


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_an_introduction_goes_with_what_it_introduces(introduction: str) -> None:
    assert cut(f"take 7\n\n{introduction}\n\nHello all,\ntake 1") == ("take 7",)
    assert cut(f"take 7\n{introduction}\n{QUOTED}") == ("take 7",)
    assert cut(f"{introduction}\n{QUOTED}") == ()
    assert cut(f"{introduction}\n{QUOTED}\n\ntake 7") == ("take 7",)


@pytest.mark.parametrize("block", BLOCKS)
def test_what_ends_the_typed_lines(block: str) -> None:
    assert cut(f"take 7\n\n{block}\ntake 1") == ("take 7",)
    assert cut(f"take 7\n{block}") == ("take 7",)


@pytest.mark.parametrize("block", BLOCKS)
def test_our_own_mail_quoted_below_anything_leaves_nothing(block: str) -> None:
    assert cut(f"{block}\n{MARKER}\ntake 1")[:1] not in {("take 1",), (MARKER,)}


@pytest.mark.parametrize(
    "line",
    [
        "On Thursday:", "On this day", "As I wrote at 10:30, my move is:", "I wrote to gil@x.example", "Anna wrote:",
        "One question I had:", "Sent a magnificent torch of pixels", "-----", "--- take 7 ---", "http://x.example/2026",
        "mail gil@x.example at 9:12 or 9:30", "12.11.2026", "Bob: 3", "x" * 500 + " wrote 2026:",
        "We meet on 21.11.2026 09:12:", "21.11.2026 09:12 is fine", "Outlook for iOS is what I use",
    ],
)  # fmt: skip
def test_lines_that_only_look_like_an_end(line: str) -> None:
    assert cut(f"{line}\ntake 7") == (line, "take 7")


def test_a_line_may_be_shared_with_the_introduction_below() -> None:
    assert cut(f"take 7 On Sat, Nov 21, 2026 at 9:12 AM, Gil wrote:\n{QUOTED}") == ("take 7",)
    assert cut(f"take 7 On Sat, Nov 21, 2026 at 9:12 AM\nGil <gil@x.example> wrote:\n{QUOTED}") == ("take 7",)
    assert cut(f"Gil <gil@x.example> schrieb (Am 21. November 2026, 9:12):\n{QUOTED}") == ()


@pytest.mark.parametrize("rule", ["---", " ---", "--", "—-", "-----"])
def test_a_rule_between_the_reply_and_its_introduction_goes(rule: str) -> None:
    assert cut(f"take 7{rule} On Sat, Nov 21, 2026 at 9:12 AM, Gil wrote:\n{QUOTED}") == ("take 7",)


def test_a_single_dash_above_an_introduction_is_part_of_a_move() -> None:
    assert cut(f"hands AS KS | 9D | - On Sat, Nov 21, 2026 at 9:12 AM, Gil wrote:\n{QUOTED}") == (
        "hands AS KS | 9D | -",
    )


@pytest.mark.parametrize("link", ["o0ukef", "AAb9ysg", "ghei36", "qtex0l"])
@pytest.mark.parametrize("words", OUTLOOK_SIGNATURES)
def test_outlook_s_signature_is_known_by_its_link(words: str, link: str) -> None:
    address = f"https://aka.ms/{link}"
    assert cut("take 7\n\n" + words.format(f"<{address}>")) == ("take 7",)
    page = "<p>take 7</p><div>" + words.replace("Outlook", f'<a href="{address}">Outlook').format("</a>") + "</div>"
    assert cut(html_text.to_text(page)) == ("take 7",)


def test_a_phone_signature_alone_is_nothing_typed() -> None:
    assert cut(f"Sent from my iPhone\n\nOn 21 Nov 2026 at 09:12, Gil wrote:\n\n{QUOTED}") == ()
    assert cut("Sent from my iPhone\n\nOn 21 Nov 2026 at 09:12, Gil wrote:\n\ntake 1") == ()


@pytest.mark.parametrize(
    "banner",
    [
        "[EXTERNAL]",
        "EXTERNAL EMAIL",
        "You don't often get email from anna@x.example. Learn why this is important",
        "ACHTUNG: Diese E-Mail kommt von außerhalb.",
        "Warning: this message was sent by somebody who is no member of the house\nso do not click on anything in it",
    ],
)
def test_a_gateway_s_banner_goes_and_the_line_below_it_stays(banner: str) -> None:
    assert cut(f"{banner}\n\ntake 7\n[EXTERNAL]") == ("take 7", "[EXTERNAL]")
    assert cut(banner) == ()


def test_blank_lines_stand_once_between_paragraphs() -> None:
    assert cut("\n\ntake 7\n\n\n\nbye\n\n") == ("take 7", "", "bye")
    assert cut("") == cut("\n\n") == ()


@pytest.mark.parametrize("written", [MARKER, marker("3k9f2a"), marker("3k9f2a", GERMAN), marker("", GERMAN), UNKNOWN])
@pytest.mark.parametrize("dashes", ["---", "--", "—-"])
@pytest.mark.parametrize("sign", ["", "> ", ">> ", "| ", "*"])
def test_the_marker_is_known_however_it_is_quoted_and_wrapped(written: str, dashes: str, sign: str) -> None:
    line = written if written == UNKNOWN and dashes == "—-" else written.replace("---", dashes)
    assert cut(f"take 7\n{sign}{line}\n\ntake 1") == ("take 7",)
    for at in (i for i, letter in enumerate(line) if letter == " "):
        assert cut(f"take 7\n{sign}{line[:at]}\n{sign}{line[at + 1 :]}\ntake 1")[:1] == ("take 7",)
        below = cut(f"{sign}{line[:at]}\n{sign}{line[at + 1 :]}\n\ntake 1")
        # Below a quote sign, an unquoted line is a reply.
        assert below == ("take 1",) if sign.startswith(">") else below[:1] != ("take 1",)


def test_text_before_the_marker_in_a_quoted_line_is_quoted() -> None:
    assert cut(f"> take 1 {MARKER}\ntake 2") == ()


def test_signed_text_without_an_end_of_its_armour() -> None:
    assert cut("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512") == ()
