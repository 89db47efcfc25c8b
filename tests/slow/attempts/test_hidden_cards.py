"""Hidden cards reach nobody else: no page, call, picture, feed or mail of another names a card that somebody holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import token_of
from tests.slow.attempts.places import PAGES, Places
from tests.support.live_service import text_of

if TYPE_CHECKING:
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player
    from tests.slow.attempts.visitors import Visitor

DRAWN = re.compile(r' d="[^"]*"')
CARD = re.compile(r"[2-9TJQKA][SHDC]")
RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"} | {
    str(number): word
    for number, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), start=2)
}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
GAMES: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "montauk": (("Ann", "Bob"), {}),
    "martian-trickery": (("Ann", "Bob", "Cyd"), {"hands": 1}),
}
VIEWERS = ("a stranger", "another player's browser", "another player's link", "an earlier link of theirs")
ASKED = ("board", "my cards", "what deck", "history", "moves", "why", "help", "replay", "preview")
LOOKED_AT = [page for page in PAGES if "{token}" in page or "{match}" in page or "{feed}" in page or page == "/mine"]


@dataclass(frozen=True)
class Held:
    """A match in which somebody is to move, and holds cards that nobody else may know."""

    house: House
    places: Places
    holder: Player
    other: Player
    cards: tuple[str, ...]
    earlier: EmailMessage
    others_link: str

    def path(self, page: str, viewer: str) -> tuple[Visitor, str]:
        """Return who asks, and for what."""
        link = token_of(self.earlier) if viewer == "an earlier link of theirs" else self.others_link
        names = {**self.places.names, "token": link}
        browser = self.places.browser if viewer == "another player's browser" else self.house.visitor()
        return browser, page.format(**names)

    def found_in(self, text: str) -> list[str]:
        """Name the cards that a text tells; the curves of drawings and the words that show how to type are none."""
        text = DRAWN.sub("", text).replace("<code>AS</code>", "")
        return [card for card in self.cards if any(form.search(text) for form in forms(card))]


def forms(card: str) -> list[re.Pattern[str]]:
    """Return the ways to write a card."""
    rank, suit = card[0], card[1]
    number = "10" if rank == "T" else rank
    return [
        re.compile(rf"(?<![A-Za-z0-9])(?:{rank}|{number}){suit}(?![A-Za-z0-9])"),
        re.compile(rf"(?<![A-Za-z0-9])(?:{rank}|{number})\ufe0f?{SIGNS[suit]}"),
        re.compile(rf"\b{RANKS[rank]} of {SUITS[suit]}\b", re.IGNORECASE),
    ]


@pytest.fixture(scope="module", params=GAMES)
def held(here: House, request: pytest.FixtureRequest) -> Held:
    game: str = request.param
    names, options = GAMES[game]
    table = here.table(game, *names, options=options, clock="3 days")
    holder = table.mover
    turn = table.turn(holder)
    cards = tuple(sorted({card for move in table.seen_by(turn)["moves"] for card in CARD.findall(move)}))
    assert cards
    other = next(player for player in table.players if player != holder)
    browser = here.signed_in(other)
    browser.press(browser.open("/mine"), "Create private links")
    feed = browser.open("/mine").text.partition("/feed/")[2].partition(".atom")[0]
    links = {
        "match": table.match,
        "token": "",
        "move": cards[0],
        "submission": "0" * 26,
        "url": f"http://{here.host}",
        "feed": feed,
        "waiting": "0" * 26,
        "lobby": "x",
        "signed": "x",
        "leaving": "0" * 26,
    }
    here.settle()
    mails = table.mails_to(other)
    newest = next(mail for mail in reversed(mails) if "/m/" in text_of(mail) or "/mail/" in text_of(mail))
    places = Places(table, other, browser, links)
    return Held(here, places, holder, other, cards, table.invitation(holder), token_of(newest))


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("page", LOOKED_AT)
def test_no_page_names_a_card_of_another(held: Held, viewer: str, page: str) -> None:
    if "move=" in page or "chosen=" in page:
        page = page.partition("?")[0]
    visitor, path = held.path(page, viewer)
    answer = visitor.open(path)
    assert answer.status < 500
    if answer.says("Content-Type").startswith(("text/", "application/")):
        assert held.found_in(answer.text) == []
    assert held.found_in(str(answer.headers)) == []


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("picture", ["picture.png", "poster.png"])
def test_a_picture_is_the_same_whoever_asks(held: Held, viewer: str, picture: str) -> None:
    visitor, path = held.path(f"/matches/{{match}}/{picture}", viewer)
    holder = held.house.signed_in(held.holder)
    seen, own = visitor.get(path), holder.get(path)
    assert (seen.status, seen.body) == (own.status, own.body)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_mail_names_a_card_of_another(held: Held, seat: int) -> None:
    if seat > len(held.places.table.players):
        pytest.skip("nobody sits there")
    player = held.places.table.players[seat - 1]
    if player == held.holder:
        # Their own mail does: what is looked for can be found.
        assert held.found_in("".join(text_of(mail) for mail in player.mails))
        return
    for mail in player.mails:
        whole = "".join(str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text")
        assert held.found_in(whole + str(mail["Subject"])) == []


@pytest.mark.parametrize(
    "line", ["board", "my cards", "what deck", "history", "moves", "why", "help", "replay", "preview"]
)
def test_no_answer_by_mail_names_a_card_of_another(held: Held, line: str) -> None:
    table, other = held.places.table, held.other
    before = len(other.mails)
    said = f"{line} {held.cards[0]}" if line == "preview" else line
    assert other.reply(table.mails_to(other)[-1], said) == 250
    held.house.settle()
    for mail in other.mails[before:]:
        whole = text_of(mail).partition("--- Reply above")[2] or text_of(mail)
        tried = [held.cards[0]] if line == "preview" else []
        assert [card for card in held.found_in(whole) if card not in tried] == []


@pytest.mark.parametrize("number", range(4))
def test_no_reason_for_a_refusal_tells_what_another_holds(held: Held, number: int) -> None:
    """Whoever tries a card that another holds, and one that nobody holds, is told the same."""
    link, view = held.others_link, held.places.table.view
    reasons = []
    deck = [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
    own = held.house.anybody.get(f"/api/seats/{link}").json
    elsewhere = [card for card in deck if card not in held.cards and card not in str(own["board"])]
    for card in (held.cards[number % len(held.cards)], elsewhere[number]):
        taken = held.house.anybody.send(f"/api/seats/{link}/moves", {"ply": view["ply"], "move": card})
        held.house.settle()
        verdict = held.house.anybody.get(f"/api/submissions/{taken.json['submission']}").json
        reasons.append((verdict["status"], (verdict["reason"] or "").replace(card, "*")))
    assert reasons[0] == reasons[1]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("path", ["record", "record.txt", "replay.html", "record?key=x", "fork"])
def test_no_record_of_a_running_match_is_handed_out(held: Held, viewer: str, path: str) -> None:
    visitor, _ = held.path("/", viewer)
    begin = "/api/matches" if path.startswith("record") and "txt" not in path else "/matches"
    answer = visitor.open(f"{begin}/{held.places.table.match}/{path}")
    assert "secret" not in answer.text.replace("secretly", "") or answer.status >= 400
    assert '"seed"' not in answer.text
    assert held.found_in(answer.text) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_link_of_another_reads_a_submission_by_their_hand(held: Held, viewer: str) -> None:
    visitor, path = held.path("/api/seats/{token}", viewer)
    view = visitor.get(path).json
    if view.get("seat") is None and viewer != "a stranger":
        assert view["moves"] == []
    assert held.found_in(str(view)) == []


@pytest.mark.parametrize("page", ["/operators/", "/operators/matches", "/operators/submissions", "/operators/mails"])
def test_who_is_no_operator_finds_nothing_there(held: Held, page: str) -> None:
    assert held.places.browser.get(page).status == 404
    assert held.house.visitor().get(page).status in {303, 404}
