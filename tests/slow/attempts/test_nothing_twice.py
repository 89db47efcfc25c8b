"""Nothing is done twice: what is sent again, or by many at once, counts once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.slow.attempts.houses import answer_to, reply_to, token_of, verdict
from tests.support.live_service import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.slow.attempts.houses import House, Table

MANY = 10


def at_once(acts: Iterable[Callable[[], Any]]) -> list[Any]:
    """Do several things at the same time."""
    tried = list(acts)
    with ThreadPoolExecutor(len(tried)) as threads:
        return [future.result() for future in [threads.submit(act) for act in tried]]


def log_of(table: Table) -> list[str]:
    """Read which moves were played, from the record of the match once it is over."""
    player = table.mover
    assert player.reply(table.turn(player), "resign yes") == 250
    until(lambda: table.view["outcome"])
    record = table.house.anybody.get(f"/api/matches/{table.match}/record").json
    return [entry["move"] for entry in record["log"] if "move" in entry]


@pytest.fixture
def table(here: House) -> Table:
    return here.table("martian-whist", "Ann", "Bob")


@pytest.mark.parametrize("how", ["one after the other", "at once"])
def test_the_same_mail_is_one_move(table: Table, how: str) -> None:
    player = table.mover
    mail = answer_to(player, table.turn(player), "take 1")
    send = partial(table.house.post, mail, player.address, reply_to(table.turn(player)))
    codes = at_once([send] * MANY) if how == "at once" else [send() for _ in range(MANY)]
    assert set(codes) <= {250, 450}
    table.house.settle()
    assert log_of(table) == ["take 1"]


@pytest.mark.parametrize("change", ["Received", "DKIM-Signature", "X-Spam", "Subject", "References"])
def test_a_mail_with_other_headers_is_the_same_mail(table: Table, change: str) -> None:
    player = table.mover
    turn = table.turn(player)
    for number in range(3):
        mail = answer_to(player, turn, "take 1", Message_ID=f"<once.{table.match}@example.org>")
        del mail[change]
        mail[change] = f"x{number} <x{number}@example.org>"
        assert player.house.post(mail, player.address, reply_to(turn)) == 250
    table.house.settle()
    assert len([mail for mail in player.mails if "already" in str(mail["Subject"]).lower()]) == 0
    assert log_of(table) == ["take 1"]


@pytest.mark.parametrize("how", ["one after the other", "at once"])
def test_the_same_form_is_one_move(table: Table, how: str) -> None:
    player = table.mover
    browser = table.house.visitor()
    page = browser.open(f"/m/{token_of(table.turn(player))}?move=take+1")
    form = page.form("Play this move")
    send = partial(browser.post, form.action, form.fields)
    answers = at_once([send] * MANY) if how == "at once" else [send() for _ in range(MANY)]
    assert {answer.status for answer in answers} <= {303, 400, 200}
    table.house.settle()
    assert log_of(table) == ["take 1"]


@pytest.mark.parametrize("how", ["one after the other", "at once"])
def test_the_same_call_is_one_move(table: Table, how: str) -> None:
    link = token_of(table.turn(table.mover))
    send = partial(table.house.visitor().send, f"/api/seats/{link}/moves", {"ply": 1, "move": "take 1"})
    answers = at_once([send] * MANY) if how == "at once" else [send() for _ in range(MANY)]
    assert {answer.status for answer in answers} == {202}
    found = [verdict(table.house, name) for name in {answer.json["submission"] for answer in answers}]
    assert [each["status"] for each in found].count("played") == 1
    assert {each["status"] for each in found} <= {"played", "already_played"}
    assert log_of(table) == ["take 1"]


@pytest.mark.parametrize("again", range(4))
def test_of_several_moves_at_once_one_is_played(table: Table, again: int) -> None:
    link = token_of(table.turn(table.mover))
    call = table.house.visitor()
    moves = [f"take {number}" for number in range(1 + again, 9 + again)]
    sent = [partial(call.send, f"/api/seats/{link}/moves", {"ply": 1, "move": move}) for move in moves]
    found = [verdict(table.house, answer.json["submission"])["status"] for answer in at_once(sent)]
    assert sorted(found) == ["already_played"] * 7 + ["played"]
    assert len(log_of(table)) == 1


def test_a_move_by_every_way_at_once_is_one(table: Table) -> None:
    player = table.mover
    turn = table.turn(player)
    browser = table.house.visitor()
    form = browser.open(f"/m/{token_of(turn)}?move=take+1").form("Play this move")
    ways: list[Callable[[], Any]] = [
        partial(player.reply, turn, "take 2"),
        partial(browser.post, form.action, form.fields),
        partial(browser.send, f"/api/seats/{token_of(turn)}/moves", {"ply": 1, "move": "take 3"}),
    ]
    at_once(ways * 3)
    table.house.settle()
    assert len(log_of(table)) == 1


@pytest.mark.parametrize("again", range(8))
def test_an_invitation_that_is_accepted_many_times_at_once_begins_one_match(here: House, again: int) -> None:
    table = here.invited("martian-whist", "Ann", "Bob")
    forms = []
    for player in table.players:
        browser = here.visitor()
        page = browser.open(f"/invitation/{token_of(table.invitation(player))}").form("Accept")
        forms += [partial(browser.post, page.action, {**page.fields, "entropy": f"mine {again} {n}"}) for n in range(5)]
    at_once(forms)
    until(lambda: table.view["to_move"])
    here.settle()
    turns = [len(table.mails_to(player)) for player in table.players]
    assert turns == [2, 2]


def test_who_accepts_and_declines_at_once_has_done_one_of_them(here: House) -> None:
    table = here.invited("martian-whist", "Ann", "Bob")
    first = here.visitor()
    first.press(first.open(f"/invitation/{token_of(table.invitation(table.players[0]))}"), "Accept")
    link, browser = token_of(table.invitation(table.players[1])), here.visitor()
    yes = browser.open(f"/invitation/{link}").form("Accept")
    no = next(form for form in browser.open(f"/invitation/{link}/decline").page.forms if form.method == "post")
    at_once([partial(browser.post, form.action, form.fields) for form in (yes, no)])
    here.settle()
    began, over = bool(table.view["to_move"]), bool(table.view["outcome"])
    called_off = "called off" in browser.open(f"/invitation/{link}").words
    assert [began, over or called_off].count(True) == 1


def test_an_open_seat_is_taken_by_one(here: House) -> None:
    host = here.player("Ann")
    seats: list[dict[str, Any]] = [{"name": "Ann", "email": host.address}, {"open": True}]
    made = here.visitor().send("/api/matches", {"game": "martian-whist", "options": {}, "seats": seats}).json["id"]
    browsers = [here.signed_in(here.player("Bob")) for _ in range(5)]
    forms = []
    for browser in browsers:
        page = browser.open(f"/join/{made}")
        form = next(form for form in page.page.forms if form.method == "post" and "/join/" in form.action)
        forms.append(partial(browser.post, form.action, form.fields, Sec_Fetch_Site="same-origin"))
    at_once(forms)
    here.settle()
    sitting = [browser for browser in browsers if browser.get(f"/api/me/matches/{made}").status == 200]
    assert len(sitting) == 1


def test_a_match_has_one_rematch_however_many_ask_at_once(table: Table) -> None:
    player = table.mover
    player.reply(table.turn(player), "resign yes")
    until(lambda: table.view["outcome"])
    table.house.settle()
    forms = []
    for each in table.players:
        browser = table.house.visitor()
        page = browser.open(f"/m/{token_of(table.mails_to(each)[-1])}")
        found = [form for form in page.page.forms if "rematch" in form.action]
        forms += [partial(browser.post, form.action, form.fields) for form in found] * 3
    assert forms
    known = [len(each.mails) for each in table.players]
    at_once(forms)
    table.house.settle()
    assert all(len(each.mails) - before <= 2 for each, before in zip(table.players, known, strict=True))


@pytest.mark.parametrize("ask", ["draw", "abandon"])
def test_who_agrees_many_times_has_agreed_once(table: Table, ask: str) -> None:
    mover = table.mover
    other = next(player for player in table.players if player != mover)
    mover.reply(table.turn(mover), ask)
    table.house.settle()
    question = table.mails_to(other)[-1]
    at_once([partial(other.reply, question, "yes") for _ in range(5)])
    until(lambda: table.view["outcome"])
    table.house.settle()
    ends = [mail for mail in other.mails if f"/matches/{table.match}/record" in str(mail.get_body(("plain",)))]
    assert len(ends) == 1


def test_a_move_and_giving_up_at_once_are_one_after_the_other(table: Table) -> None:
    player = table.mover
    turn = table.turn(player)
    call = table.house.visitor()
    move = partial(call.send, f"/api/seats/{token_of(turn)}/moves", {"ply": 1, "move": "take 1"})
    at_once([move, partial(player.reply, turn, "resign yes")])
    table.house.settle()
    record = table.house.anybody.get(f"/api/matches/{table.match}/record")
    if record.status == 200:
        assert record.json["result"]["ending"] == "resigned"
    else:
        assert table.view["ply"] == 2


def test_webhooks_are_so_many_however_they_are_added(there: House) -> None:
    table = there.table("martian-whist", "Ann", "Bob")
    path = f"/mine/{table.match}/webhooks"
    fields = table.host.get(path).form("Add a webhook").fields
    acts = [
        partial(
            table.host.post, path, {**fields, "url": f"https://198.41.0.4/{number % 5}"}, Sec_Fetch_Site="same-origin"
        )
        for number in range(MANY)
    ]
    at_once(acts)
    shown = [form for form in table.host.get(path).page.forms if form.button.startswith("Remove")]
    assert len(shown) <= 3
    assert len({form.button for form in shown}) == len(shown)


@pytest.mark.parametrize("how", ["mail", "raw"])
def test_a_proof_is_good_for_one_mail(there: House, how: str) -> None:
    """What a mail service hands on is signed, and the same again is the same mail."""
    table = there.table("martian-whist", "Ann", "Bob")
    player = table.mover
    turn = table.turn(player)
    mail = answer_to(player, turn, "take 1").as_bytes()
    query = f"/incoming/raw?recipient={reply_to(turn).replace('+', '%2B')}&sender={player.address}"
    handed = there.visitor()
    if how == "raw":
        assert handed.ask("POST", query, mail, {"Content-Type": "message/rfc822"}).status in {401, 403}
        there.settle()
        assert table.mover == player
        return
    assert there.post(mail, player.address, reply_to(turn)) == 250
    assert there.post(mail, player.address, reply_to(turn)) == 250
    there.settle()
    assert table.view["ply"] == 2
