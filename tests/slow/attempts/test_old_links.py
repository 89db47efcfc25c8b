"""An old link acts no more: whoever finds one sees what everybody may see, and does nothing by any word or door."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import reply_to, token_of, verdict
from tests.support.live_service import text_of, until
from tests.support.play.submissions.permissions import LINES

if TYPE_CHECKING:
    from collections.abc import Callable
    from email.message import EmailMessage

    from tests.slow.attempts.houses import House, Player, Table

OLD = {"That turn has already been played.", "The match is over."}
NOTHING_YET = "This form was open for too long or came from elsewhere, so nothing has been done yet."
ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
PRIVATE = "Between us alone."


@dataclass(frozen=True)
class Played:
    """A match at which Ann has moved, with links of hers of every age."""

    table: Table
    invitation: EmailMessage
    turn: EmailMessage
    before: EmailMessage

    @property
    def ann(self) -> Player:
        return self.table.players[0]

    def line(self, word: str) -> str:
        return LINES[word].format(lobby=self.table.match[:5], match=self.table.match[:5])

    def unchanged(self, acting: Callable[[], object], *, mailed: bool = False) -> None:
        """Do something, and find that nothing came of it; at the most Ann herself was mailed."""
        before = self.table.state()
        acting()
        self.table.house.settle()
        after = self.table.state()
        assert after["view"] == before["view"]
        own = slice(1 if mailed else 0, None)
        assert after["mails"][own] == before["mails"][own]


def played(house: House) -> Played:
    """Play a match until Ann has moved once, and is offered a draw that nobody has answered."""
    table = house.table("martian-whist", "Ann", "Bob", public=True, clock="3 days")
    ann, bob = table.players
    invitation, turn = table.invitation(ann), table.turn(ann)
    ann.reply(turn, f"say {PRIVATE}")
    table.move(ann, "take 1")
    before = ann.mails[-1]
    bob.reply(table.turn(bob), "draw")
    until(lambda: any("draw" in text_of(mail) for mail in ann.mails[1:]))
    house.settle()
    return Played(table, invitation, turn, before)


@pytest.fixture(scope="module")
def running(here: House) -> Played:
    return played(here)


@pytest.fixture(scope="module")
def over(here: House) -> Played:
    done = played(here)
    bob = done.table.players[1]
    bob.reply(done.table.turn(bob), "resign yes")
    until(lambda: done.table.view["outcome"])
    here.settle()
    return done


@pytest.fixture(params=["running", "over"])
def state(request: pytest.FixtureRequest) -> Played:
    found: Played = request.getfixturevalue(request.param)
    return found


AGES = pytest.mark.parametrize("age", ["invitation", "turn"])


def mail_of(state: Played, age: str) -> EmailMessage:
    found: EmailMessage = getattr(state, age)
    return found


@pytest.mark.parametrize("word", sorted(LINES))
@AGES
def test_no_word_is_done_by_an_old_link_of_programs(state: Played, age: str, word: str) -> None:
    def call() -> None:
        ask = state.table.house.visitor()
        sent = {"ply": 2, "move": state.line(word)}
        taken = ask.send(f"/api/seats/{token_of(mail_of(state, age))}/moves", sent)
        assert taken.status == 202, taken.text
        said = verdict(state.table.house, taken.json["submission"])
        assert said["status"] == "already_played"
        assert said["reason"] in OLD

    state.unchanged(call)


@pytest.mark.parametrize("word", sorted(LINES))
@AGES
def test_no_word_is_done_by_a_form_of_another_site(state: Played, age: str, word: str) -> None:
    def post() -> None:
        site = state.table.house.visitor()
        fields = {"move": state.line(word), "ply": "2"}
        done = site.ask(
            "POST",
            f"/m/{token_of(mail_of(state, age))}",
            "&".join(f"{name}={value}" for name, value in fields.items()).replace(" ", "+").encode(),
            {"Content-Type": "application/x-www-form-urlencoded", **ELSEWHERE},
        )
        assert done.status == 400
        assert NOTHING_YET in done.words

    state.unchanged(post)


@pytest.mark.parametrize("word", sorted(LINES))
def test_no_word_is_done_by_a_form_of_another_site_with_a_current_link(running: Played, word: str) -> None:
    bob = running.table.players[1]
    token = token_of(running.table.turn(bob))

    def post() -> None:
        done = running.table.house.visitor().post(f"/m/{token}", {"move": running.line(word), "ply": "2"})
        # What is no move is refused as such, before anybody looks whether it may be sent.
        assert done.status == 200 or (done.status == 400 and NOTHING_YET in done.words)

    running.unchanged(post)


@pytest.mark.parametrize("word", sorted(LINES.keys() - {"start"}))
@AGES
def test_no_word_is_done_by_mail_to_an_old_address(running: Played, age: str, word: str) -> None:
    def write() -> None:
        assert running.ann.reply(mail_of(running, age), running.line(word)) == 250

    running.unchanged(write, mailed=True)


@AGES
@pytest.mark.parametrize("word", ["resign", "say", "draw", "my cards", "stop", "new", "away", "undo"])
def test_no_word_of_a_stranger_is_done_or_answered_by_mail_to_an_old_address(
    state: Played, age: str, word: str
) -> None:
    eve = state.table.house.player("Eve")

    def write() -> None:
        assert state.ann.reply(mail_of(state, age), state.line(word), From=eve.address) == 250

    state.unchanged(write, mailed=True)
    assert eve.mails == []


@AGES
@pytest.mark.parametrize("page", ["", "/talk", "/plan", "/mail", "/agreements", "/why", "/vote", "/name", "/resign"])
def test_an_old_link_shows_nothing_of_its_player(state: Played, age: str, page: str) -> None:
    shown = state.table.house.visitor().open(f"/m/{token_of(mail_of(state, age))}{page}")
    assert shown.status < 500
    assert state.ann.address not in shown.text
    assert PRIVATE not in shown.text
    assert reply_to(state.before) not in shown.text


@AGES
@pytest.mark.parametrize("page", ["", "/resign", "/talk", "/plan", "/agreements", "/mail", "/name", "/report"])
def test_no_form_of_an_old_link_acts_though_it_has_its_nonce(state: Played, age: str, page: str) -> None:
    """The forms that such a page shows are pressed as they stand; all that one does is mail its player a link."""
    site = state.table.house.visitor()
    shown = site.open(f"/m/{token_of(mail_of(state, age))}{page}")
    forms = [form for form in shown.page.forms if form.method == "post"]

    def press() -> None:
        for form in forms:
            assert site.post(form.action, form.fields).status < 500

    state.unchanged(press, mailed=True)


@AGES
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "plan", {"lines": ["when I can: take 9"]}),
        ("DELETE", "plan", {}),
        ("POST", "offers", {"ply": 2, "kind": "abandon", "wish": "ask"}),
        ("POST", "offers", {"ply": 2, "kind": "draw", "wish": "yes"}),
        ("PUT", "votes", {"choice": "end"}),
    ],
    ids=["plan", "forget", "abandon", "agree", "vote"],
)
def test_no_call_with_an_old_link_acts(state: Played, age: str, method: str, path: str, body: object) -> None:
    def call() -> None:
        asked = state.table.house.visitor().send(f"/api/seats/{token_of(mail_of(state, age))}/{path}", body, method)
        assert asked.status < 500

    state.unchanged(call)


@AGES
def test_no_offer_is_shown_to_an_old_link(running: Played, age: str) -> None:
    shown = running.table.house.visitor().get(f"/api/seats/{token_of(mail_of(running, age))}/offers")
    assert shown.json == []


@AGES
@pytest.mark.parametrize("entropy", ["mine", ""])
def test_an_invitation_is_accepted_and_declined_no_more(state: Played, age: str, entropy: str) -> None:
    def post() -> None:
        site = state.table.house.visitor()
        for path in ("", "/decline"):
            done = site.post(f"/invitation/{token_of(mail_of(state, age))}{path}", {"entropy": entropy})
            assert done.status < 500

    state.unchanged(post)
