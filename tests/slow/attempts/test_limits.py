"""Too much is refused at every door with when to come again, and uses up nothing of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.slow.attempts.houses import NUMBERS
from tests.slow.attempts.visitors import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.slow.attempts.houses import House
    from tests.slow.attempts.visitors import Answer

LINKS_AN_HOUR, LINKS_OF_A_NETWORK, FORMS = 3, 20, 1200


def asks(visitor: Visitor, address: str) -> Answer:
    fields = visitor.open("/sign-in").form("Mail me a link").fields
    return visitor.post("/sign-in", {**fields, "email": address})


def test_an_address_is_mailed_so_many_links(there: House) -> None:
    player = there.player("Ann")
    for _ in range(6):
        assert asks(there.visitor(), player.address).status in {303, 429}
    there.settle()
    assert len(player.mails) == LINKS_AN_HOUR


@pytest.mark.parametrize("written", ["{a}", "{A}", " {a} ", "{a}.", "<{a}>"])
def test_an_address_is_the_same_however_it_is_written(there: House, written: str) -> None:
    player = there.player("Ann")
    for number in range(6):
        typed = written.format(a=player.address, A=player.address.upper()) if number % 2 else player.address
        assert asks(there.visitor(), typed).status in {303, 422, 429}
    there.settle()
    assert len(player.mails) <= LINKS_AN_HOUR


def test_a_network_asks_for_so_many_links(there: House) -> None:
    visitor = there.visitor()
    answers = [asks(visitor, there.player("Ann").address) for _ in range(LINKS_OF_A_NETWORK + 3)]
    assert [answer.status for answer in answers].count(303) == LINKS_OF_A_NETWORK
    assert answers[-1].status == 429
    assert int(answers[-1].says("Retry-After")) > 0
    assert "Too many requests" in answers[-1].words
    assert asks(there.visitor(), there.player("Ann").address).status == 303


@pytest.mark.parametrize(
    "forged", ["10.250.0.1, {network}", "evil, {network}", "{network}", "127.0.0.1, {network}", ", {network}"]
)
def test_no_forged_hop_makes_a_network_another(there: House, forged: str) -> None:
    """The machine before us writes the last hop; what stands before it is the visitor's own."""
    visitor = there.visitor()
    real, statuses = visitor.network, []
    for number in range(LINKS_OF_A_NETWORK + 1):
        said = forged.format(network=real).replace("10.250.0.1", f"10.250.{number}.1")
        fields = visitor.get("/sign-in", X_Forwarded_For=said).form("Mail me a link").fields
        sent = {**fields, "email": there.player("Ann").address}
        statuses.append(visitor.post("/sign-in", sent, X_Forwarded_For=said).status)
    assert statuses[-1] == 429


@pytest.mark.parametrize("address", ["10.251.1.{n}", "::ffff:10.251.2.{n}", "2001:db8:1:{n}::1", "[2001:db8:2:{n}::1]"])
def test_neighbours_of_one_household_are_one_network(there: House, address: str) -> None:
    statuses = []
    for number in range(LINKS_OF_A_NETWORK + 1):
        visitor = Visitor(there.running.port, there.host, network=address.format(n=number + 1))
        statuses.append(asks(visitor, there.player("Ann").address).status)
    assert statuses[-1] == 429


def test_a_network_sends_so_many_forms(there: House) -> None:
    visitor = there.visitor()
    statuses = {visitor.post("/sign-out", {}).status for _ in range(FORMS)}
    assert 429 not in statuses
    refused = visitor.post("/sign-out", {})
    assert refused.status == 429
    assert int(refused.says("Retry-After")) > 0
    assert there.visitor().post("/sign-out", {}).status != 429
    assert visitor.get("/").status == 200


def test_one_sender_is_told_to_come_again_and_others_are_taken(there: House) -> None:
    table = there.table("martian-whist", "Ann", "Bob")
    player = table.mover
    codes = [player.reply(table.turn(player), f"no move {number}") for number in range(65)]
    assert 450 <= codes[-1] < 460
    assert codes.count(250) <= 60
    other = next(each for each in table.players if each != player)
    assert other.reply(table.mails_to(other)[-1], "board") == 250


def test_a_program_uses_up_nothing_of_its_player(there: House) -> None:
    """What goes unheard, as answers of programs do, does not count against the player's own next move."""
    table = there.table("martian-whist", "Ann", "Bob")
    player = table.mover
    turn = table.turn(player)
    for number in range(65):
        player.reply(turn, f"I am away {number}", Auto_Submitted="auto-replied")
    assert player.reply(turn, "take 1") == 250
    there.settle()
    assert table.mover != player


def test_nobody_uses_up_what_others_may_send_by_writing_in_their_names(there: House) -> None:
    table = there.table("martian-whist", "Ann", "Bob")
    player = table.mover
    for number in range(65):
        raw = f"From: {player.address}\r\nMessage-ID: <l{next(NUMBERS)}@evil.example>\r\n\r\nx {number}\r\n".encode()
        assert there.post(raw, "eve@evil.example", there.own_address) in {250, 450, 451, 452}
    assert player.reply(table.turn(player), "take 1") == 250


def many_invitations(house: House) -> list[int]:
    table = house.table("martian-whist", "Ann", "Bob")
    own = {"name": "Ann", "email": table.players[0].address}
    statuses = []
    for _ in range(60):
        seats = [own, {"name": "X", "email": house.player("Xen").address}]
        made = table.host.send("/api/matches", {"game": "martian-whist", "options": {}, "seats": seats})
        statuses.append(made.status)
    return statuses


def many_to_one(house: House) -> list[int]:
    """Many players invite one address."""
    victim = house.player("Vic")
    statuses = []
    for _ in range(14):
        table = house.invited("minimax", "Ann")
        seats = [{"name": "Ann", "email": table.players[0].address}, {"name": "Vic", "email": victim.address}]
        made = table.host.send("/api/matches", {"game": "martian-whist", "options": {}, "seats": seats})
        statuses.append(made.status)
    house.settle()
    assert len(victim.mails) <= 13
    return statuses


@pytest.mark.parametrize("flood", [many_invitations, many_to_one])
def test_nobody_is_invited_without_end(there: House, flood: Callable[[House], list[int]]) -> None:
    statuses = flood(there)
    assert statuses[0] == 201
    assert statuses[-1] in {422, 429}
