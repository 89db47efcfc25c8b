"""Everything that is kept of a player, as one file: whole, theirs alone, and each mail as it was sent."""

from __future__ import annotations

import io
import json
import mailbox
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from sqlalchemy import select, update

from emails import data_export
from emails.composing import recompose
from emails.data_export import mbox_entry, stream_zip
from emails.outbound.maildir import maildir_path
from pbem.db.models import Match, OutboxMessage, Player, SeatHolder
from pbem.games import Seat
from pbem.games.record import parse_record
from pbem.play.accounts import login_sessions
from pbem.play.core.context import timestamp
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.play.operators import outbound_actions, player_actions
from pbem.play.players import digest_schedule, registry
from tests.support.house import address
from tests.support.play.canaries import canaries
from tests.support.play.moderation.avoidance import avoids
from tests.support.play.operators.office import confirmed, does, player_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.house import House


def file_of(house: House, name: str) -> ZipFile:
    (player,) = house.all(select(Player.id).where(Player.name == name))
    return ZipFile(io.BytesIO(b"".join(stream_zip(house.engine, house.config, player))))


def mails_in(packed: ZipFile, name: str, folder: Path) -> list[bytes]:
    """Read a mailbox file as mail programs do."""
    path = folder / name
    path.write_bytes(packed.read(name))
    box = mailbox.mbox(path, create=False)
    found = [box.get_bytes(key) for key in box.keys()]  # noqa: SIM118 -- a mailbox is no dictionary
    box.close()
    return found


def delivered(house: House, name: str) -> dict[str, bytes]:
    """Return what came to somebody's mailbox, by Message-ID, without what delivery added."""
    house.deliver()
    box = mailbox.Maildir(maildir_path(house.folder, address(name)), factory=None)
    return {box[key]["Message-ID"]: box.get_bytes(key).partition(b"\n")[2] for key in box.keys()}  # noqa: SIM118


def by_id(mails: list[bytes]) -> dict[str, bytes]:
    return {
        line.decode().partition(": ")[2]: raw
        for raw in mails
        for line in raw.splitlines()
        if line.startswith(b"Message-ID")
    }


def play(house: House) -> str:
    match_id = house.start_match("martian-whist", 2, mailed=True)
    house.reply(house.last("Ann"), "take 7")
    house.reply(house.last("Ann"), "say Good luck!")
    house.reply(next(mail for mail in house.mails("Bob") if "take" in mail.text), "nonsense")
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[1])
    return match_id


def test_every_mail_is_as_it_was_sent(house: House, tmp_path: Path) -> None:
    play(house)
    for name in ("Ann", "Bob"):
        sent = delivered(house, name)
        mails = by_id(mails_in(file_of(house, name), "mails.mbox", tmp_path))
        assert len(sent) > 3
        assert {key: raw.rstrip(b"\n") for key, raw in mails.items()} == {
            key: raw.rstrip(b"\n").replace(b"\nFrom ", b"\n>From ") for key, raw in sent.items()
        }


def test_what_a_player_chooses_later_changes_no_old_mail(house: House, tmp_path: Path) -> None:
    match_id = play(house)
    sent = delivered(house, "Ann")
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        player.language, player.time_zone, player.link_only = "de", "Asia/Tokyo", True
        ctx.session.execute(update(SeatHolder).where(SeatHolder.match_id == match_id).values(generation=7))
    mails = by_id(mails_in(file_of(house, "Ann"), "mails.mbox", tmp_path))
    assert {key: raw.rstrip(b"\n") for key, raw in mails.items()} == {
        key: raw.rstrip(b"\n") for key, raw in sent.items()
    }
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        assert (player.language, player.link_only) == ("de", True)
        assert set(ctx.session.scalars(select(SeatHolder.generation))) == {7}


def test_a_digest_is_one_mail(house: House, tmp_path: Path) -> None:
    house.start_match("minimax", 1, mailed=True)
    house.deliver()
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(mail_frequency=digest_schedule.DIGEST))
    for _ in range(2):
        house.start_match("minimax", 1, mailed=True)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(due_at=ctx.now))
    sent = delivered(house, "Ann")
    mails = by_id(mails_in(file_of(house, "Ann"), "mails.mbox", tmp_path))
    assert any(b"It is your turn in 2 matches." in raw for raw in mails.values())
    assert {key: raw.rstrip(b"\n") for key, raw in mails.items()} == {
        key: raw.rstrip(b"\n") for key, raw in sent.items()
    }


def test_data_tells_everything_and_opens_nothing(house: House) -> None:
    match_id = play(house)
    house.deliver()
    avoids(house, "Ann", "Bob")
    avoids(house, "Cyd", "Ann")
    with house.transaction() as ctx:
        ann = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        secret = login_sessions.start(ctx, ann, "Firefox")
        created = timestamp(ann.created_at)
    packed = file_of(house, "Ann")
    assert {"README.txt", "data.json", "mails.mbox", "sent.mbox", f"records/{match_id}.json"} == set(packed.namelist())
    data: dict[str, Any] = json.loads(packed.read("data.json"))
    assert data["format"] == "pbem-export/1"
    assert data["account"]["created_at"] == created
    assert [one["email"] for one in data["addresses"]] == [address("Ann")]
    assert [one["user_agent"] for one in data["browsers"]] == ["Firefox"]
    assert [one["name"] for one in data["avoided"]] == ["Bob"]
    (match,) = data["matches"]
    assert (match["match"], match["seat"]["seat"], match["state"]) == (match_id, 1, "over")
    assert [one["move"] for one in match["moves"]] == ["take 7"]
    assert [one["text"] for one in data["said"]] == ["Good luck!"]
    assert [one["status"] for one in data["sent"]] == ["played", "done"]
    assert {"invitation", "turn", "final"} <= {one["kind"] for one in data["mails"]}
    assert secret not in packed.read("data.json").decode()
    assert address("Bob") not in "".join(packed.read(name).decode() for name in ("data.json", "mails.mbox"))
    assert parse_record(json.loads(packed.read(f"records/{match_id}.json"))).match == match_id


def test_what_operators_did_to_somebody_is_theirs_as_far_as_they_were_told(house: House) -> None:
    house.start_match("martian-whist", 2)
    with house.transaction() as ctx:
        registry.get_or_create(ctx, {address("Dee"): "Dee"})
    confirmed(house, "Ann", "Bob", "Dee")
    ann, dee = player_of(house, "Ann"), player_of(house, "Dee")
    does(house, player_actions.rename, dee, why="Dee asked for it.", name="Deirdre")
    for into in (ann, ann):  # the second time changes nothing
        does(house, player_actions.merge, dee, why="These are one person.", into=into)
    does(house, player_actions.rename, ann, why="Ann asked for it.", name="Anna")
    does(house, player_actions.ban, ann, why="Bob has told us of it.", sentence="You were rude.")
    does(house, player_actions.unban, ann, why="She was sorry.")
    does(house, player_actions.rename, player_of(house, "Bob"), why="Bob asked for it.", name="Rob")
    does(house, outbound_actions.suppress, address("Dee"), why="A trap for senders.")
    packed = file_of(house, "Anna").read("data.json").decode()
    data: dict[str, Any] = json.loads(packed)
    assert [(one["act"], one["reason"]) for one in data["done_by_operators"]] == [
        ("rename", "Dee asked for it."),
        ("merge", "These are one person."),
        ("rename", "Ann asked for it."),
    ]
    (ban,) = data["shut_out"]
    assert ban["message"] == "You were rude."
    assert ban["banned_at"] <= ban["lifted_at"]
    kept = {one["email"]: one["not_written_to"] for one in data["addresses"]}
    assert kept[address("Ann")] is None
    assert kept[address("Dee")]["reason"] == "manual"
    assert not [why for why in ("Bob has", "Bob asked", "sorry", "trap", "shell:") if why in packed]


def test_what_others_hold_is_nowhere_in_it(house: House) -> None:
    match_id = house.start_match("montauk", 2)
    house.deliver()
    with house.transaction() as ctx:
        course = load_match(ctx, ctx.session.get_one(Match, match_id))
        own = {str(card) for card in course.position.hands[0].value}
        hidden = {word for word in canaries(course.position, Seat(1)) if " " not in word} - own
    packed = file_of(house, "Ann")
    everything = " ".join(packed.read(name).decode() for name in ("data.json",))
    assert len(hidden) > 5
    assert not [card for card in hidden if f'"{card}"' in everything or f" {card} " in everything]
    assert not [name for name in packed.namelist() if name.startswith("records/")]


def test_a_mail_that_cannot_be_written_again_is_left_out_and_listed(house: House, tmp_path: Path) -> None:
    house.start_match("minimax", 1)
    house.deliver()
    with house.transaction() as ctx:
        ctx.session.execute(
            update(OutboxMessage).where(OutboxMessage.kind == "turn").values(render_data={"name": "Ann"})
        )
    packed = file_of(house, "Ann")
    kinds = [one["kind"] for one in json.loads(packed.read("data.json"))["mails"]]
    assert len(mails_in(packed, "mails.mbox", tmp_path)) == len(kinds) - 1


def test_links_that_let_somebody_in_are_not_kept(house: House) -> None:
    house.start_match("minimax", 1)
    with house.transaction() as ctx:
        facts = {"name": "Ann", "language": "en", "confirm": "secret"}
        outbox.enqueue_mail(ctx, "address", address("Ann"), facts, once="address")
    house.deliver()
    packed = file_of(house, "Ann")
    assert b"secret" not in packed.read("mails.mbox")
    assert "address" in [one["kind"] for one in json.loads(packed.read("data.json"))["mails"]]
    assert house.all(select(OutboxMessage.render_data).where(OutboxMessage.kind == "address")) == [{}]


def test_letters_to_the_service_are_taken_along_and_those_to_its_operator_are_not(house: House, tmp_path: Path) -> None:
    house.start_match("minimax", 1)
    raw = b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nHello\r\nFrom here\r\n"
    assert house.send(raw, "postmaster@games.localhost", address("Ann")).code == 250
    with house.transaction() as ctx:
        outbox.enqueue_mail(ctx, "refused us", address("Ann"), {"name": "", "language": "en", "domains": []}, once="o")
    house.deliver()
    packed = file_of(house, "Ann")
    (mail,) = mails_in(packed, "sent.mbox", tmp_path)
    assert b"Hello\n>From here" in mail
    assert "refused us" not in [one["kind"] for one in json.loads(packed.read("data.json"))["mails"]]


def test_many_mails_are_written_piece_by_piece(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_export, "_BATCH_SIZE", 20)
    mails = 2 * 20 + 1
    match_id = house.start_match("minimax", 1)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        holder = holders(ctx, match)[0]
        for number in range(mails):
            outbox.enqueue(
                ctx,
                "stale",
                holder,
                match,
                outbox.match_facts(ctx, match, holder) | {"reason": "Late."},
                once=f"{number}",
            )
        facts = ctx.session.scalars(select(OutboxMessage.render_data).where(OutboxMessage.idempotency_key == "0")).one()
        kept = {name: getattr(holder.player, name) for name in recompose.RENDERING_PREFERENCES}
        done = {"state": "sent", "render_preferences": kept | {"generation": 1}, "render_data": facts}
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.kind == "stale").values(done))
        player = holder.player_id
    pieces = list(stream_zip(house.engine, house.config, player))
    assert len(pieces) > mails
    assert max(map(len, pieces)) < 200_000
    packed = ZipFile(io.BytesIO(b"".join(pieces)))
    assert len(mails_in(packed, "mails.mbox", tmp_path)) >= mails


def test_lines_that_would_begin_a_mail_are_quoted(house: House) -> None:
    with house.transaction() as ctx:
        raw = mbox_entry(b"A: b\r\n\r\nFrom me\r\n>From you\r\n", ctx.now)
    assert raw.startswith(b"From MAILER-DAEMON ")
    assert raw.endswith(b"\n>From me\n>>From you\n\n")
