"""Whole matches by mail: invited, accepted, played and ended by replies alone, with a record that proves itself."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from emails.composing.compose import compose
from emails.parsing import html_text
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import connect
from pbem.games import Seat, find
from pbem.games.record import parse_record
from pbem.games.verify import verify
from pbem.play.archive import records
from pbem.play.lifecycle import acceptance
from pbem.play.matches.seats import holders
from pbem.states import MatchState, OutboxState
from tests.support.examples import few
from tests.support.house import NAMES, House, Mail, open_house
from tests.support.play.conditional_moves.mail_lines import readable
from tests.support.servers import clone

pytestmark = pytest.mark.drawn

OWN_WORDS = {1: "correct horse", 3: "Zufall aus Zürich"}
"""What the players of seats 1 and 3 type behind “accept”; the others type nothing."""


@dataclass
class Played:
    """A match that was played to its end, with every mail."""

    house: House
    match_id: str
    seats: int
    mails: list[Mail] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)
    """Lines of mails that would have been legal moves of their readers."""

    @property
    def record(self) -> dict[str, Any]:
        with self.house.transaction() as ctx:
            return records.build_record(ctx, ctx.session.get_one(Match, self.match_id)).data()


def lines_of(mail: Mail) -> list[str]:
    return [*mail.text.splitlines(), "", *html_text.to_text(mail.html).splitlines()]


def new_mails(played: Played) -> list[Mail]:
    """Read everybody's mail, and note what stood meanwhile."""
    new = [mail for name in NAMES[: played.seats] for mail in played.house.mails(name)]
    match = played.house.match(played.match_id)
    if match.seed is not None:
        with played.house.course(played.match_id) as (_, course):
            for mail in new:
                seat = Seat(NAMES.index(mail.name) + 1)
                played.readable += readable(course.game, course.position, seat, lines_of(mail))
    played.mails += new
    return new


def play(house: House, game: str, seats: int, options: dict[str, object]) -> Played:
    played = Played(house, house.make(game, seats, options), seats)
    for mail in new_mails(played):
        words = OWN_WORDS.get(NAMES.index(mail.name) + 1, "")
        house.reply(mail, f"accept {words}".strip())
    chosen = random.Random(game)
    while new := new_mails(played):
        for mail in new:
            match = house.match(played.match_id)
            seat = NAMES.index(mail.name) + 1
            if match.state == MatchState.RUNNING and seat in match.to_move and "your turn" in mail.text:
                moves = house.legal(played.match_id, seat)
                house.reply(mail, chosen.choice(moves))
    return played


@pytest.fixture(
    scope="module",
    params=[*few([("middle-card", 3, {}), ("martian-whist", 2, {"sets": 2}), ("minimax", 1, {})])],
    ids=lambda param: param[0],
)
def played(
    request: pytest.FixtureRequest, cluster: Any, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """A match that was played by mail to its end."""
    with clone(cluster, template) as url:
        engine = connect(url)
        yield play(open_house(engine, tmp_path_factory.mktemp("house")), *request.param)
        engine.dispose()


def canonical(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_match_is_played_to_its_end_and_its_record_verifies(played: Played) -> None:
    match = played.house.match(played.match_id)
    assert match.state == MatchState.OVER
    record = played.record
    assert record["result"]["ending"] == "finished"
    said = list(verify(parse_record(json.loads(json.dumps(record))), find))
    assert len(said) == 6


def test_the_record_has_the_keys_of_its_format_in_their_forms(played: Played) -> None:
    record = played.record
    assert list(record) == [
        "format", "match", "game", "edition", "options", "seats", "commitment", "secret", "entropies", "entropy_by",
        "seed", "log", "result", "head",
    ]  # fmt: skip
    assert record["format"] == "pbem-record/1"
    assert record["seats"] == list(NAMES[: played.seats])
    assert [entry["ply"] for entry in record["log"]] == list(range(1, len(record["log"]) + 1))
    for entry in record["log"]:
        assert set(entry) == {"ply", "seat", "move", "at", "salt"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["at"])
    assert set(record["result"]) == {"scores", "winners", "ending"}
    assert set(record["result"]["scores"]) == {str(seat) for seat in range(1, played.seats + 1)}
    game = find(record["game"], record["edition"])
    assert set(record["options"]) == set(game.options)


def test_the_deal_is_the_one_that_the_formulas_give(played: Played) -> None:
    record = played.record
    secret = bytes.fromhex(record["secret"])
    assert len(secret) == 32
    assert hashlib.sha256(secret).hexdigest() == record["commitment"]
    for seat, (entropy, by) in enumerate(zip(record["entropies"], record["entropy_by"], strict=True), 1):
        words = OWN_WORDS.get(seat)
        assert by == ("player" if words else "server")
        if words:
            assert entropy == hashlib.sha256(words.encode()).hexdigest()
        else:
            assert re.fullmatch("[0-9a-f]{32}", entropy)
    parts = ["pbem-seed-v1", record["match"], *record["entropies"]]
    seed = hmac.new(secret, b"\0".join(part.encode() for part in parts), hashlib.sha256).hexdigest()
    assert record["seed"] == seed


def chain_of(played: Played) -> list[str]:
    """Compute every head that the match's chain has had."""
    record = played.record
    rules = {key: record[key] for key in ("match", "game", "edition", "options")} | {"seats": played.seats}
    head = hashlib.sha256(bytes.fromhex(record["commitment"]) + canonical(rules)).digest()
    heads = [head.hex()]
    for entry in record["log"]:
        head = hashlib.sha256(head + canonical(entry)).digest()
        heads.append(head.hex())
    return heads


def test_the_chain_is_the_one_that_the_formula_gives(played: Played) -> None:
    assert chain_of(played)[-1] == played.record["head"]


def test_every_mail_prints_the_first_sixteen_digits_of_the_head(played: Played) -> None:
    heads = [head[:16] for head in chain_of(played)]
    for name in NAMES[: played.seats]:
        mails = [mail for mail in played.mails if mail.name == name]
        printed = [re.findall(r"Fairness check: ([0-9a-f]{16}) ", mail.flat) for mail in mails]
        places = [heads.index(digits) for (digits,) in printed]
        assert places == sorted(places)
        assert (places[0], places[-1]) == (0, len(heads) - 1)
        assert all(digits in mail.html for mail, (digits,) in zip(mails, printed, strict=True))


def test_the_default_entropy_and_the_commitment_stand_in_each_seats_first_mail(played: Played) -> None:
    record = played.record
    firsts = {mail.name: mail for mail in reversed(played.mails)}
    for seat in range(1, played.seats + 1):
        mail = firsts[NAMES[seat - 1]]
        assert record["commitment"] in mail.flat
        shown = re.search(r"we use this: ([0-9a-f]{32})\b", mail.flat)
        assert shown
        if seat not in OWN_WORDS:
            assert shown[1] == record["entropies"][seat - 1]


def test_the_answer_to_an_own_text_shows_the_text_and_its_digest(played: Played) -> None:
    said = [mail.flat for mail in played.mails if mail.name == NAMES[0]]
    digest = hashlib.sha256(OWN_WORDS[1].encode()).hexdigest()
    assert any(OWN_WORDS[1] in text and digest in text for text in said)


def test_salts_are_sixteen_bytes_each_its_own_and_in_no_mail(played: Played) -> None:
    salts = [entry["salt"] for entry in played.record["log"]]
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)
    assert len(set(salts)) == len(salts)
    for mail in played.mails:
        decoded = mail.raw.decode("latin-1") + mail.text + mail.html
        assert not [salt for salt in salts if salt in decoded]
        assert played.record["secret"] not in decoded
        assert played.record["seed"] not in decoded


def test_every_mail_has_the_parts_and_headers_that_it_needs(played: Played) -> None:
    for mail in played.mails:
        message = mail.message
        assert message["Message-ID"].endswith("@games.localhost>")
        assert message["Auto-Submitted"] in {"auto-generated", "auto-replied"}
        assert message["From"].addresses[0].addr_spec == "games@games.localhost"
        assert message["To"].addresses[0].addr_spec == f"{mail.name.lower()}@example.org"
        assert re.fullmatch(r"play\+[0-9a-hjkmnp-tv-z]{26}@games\.localhost", mail.reply_to)
        assert message["Date"].datetime
        # The last mail brings the record along.
        whole: Any = message.get_payload(0) if message.get_content_type() == "multipart/mixed" else message
        assert whole.get_content_type() == "multipart/alternative"
        assert re.match(r"--- Reply above this line · #[0-9a-z]{6} ---\n", mail.text)
        assert mail.html.lower().startswith("<!doctype html>")
    assert len({mail.message["Message-ID"] for mail in played.mails}) == len(played.mails)


def test_mails_that_invite_ask_for_a_move_or_tell_the_end_have_a_picture_beside_their_html(played: Played) -> None:
    pictured = [mail for mail in played.mails if "cid:" in mail.html]
    wanted = (
        "invites you to a match",
        "You are invited to a match",
        "Choose your move on its page:",
        "The finished match:",
    )
    assert pictured == [mail for mail in played.mails if any(words in mail.flat for words in wanted)]
    for mail in pictured:
        related = next(part for part in mail.message.walk() if part.get_content_type() == "multipart/related")
        picture = next(part for part in related.walk() if part.get_content_type() == "image/png")
        assert picture.get_content().startswith(b"\x89PNG\r\n\x1a\n")
        assert f"cid:{picture['Content-ID'].strip('<>')}" in mail.html


def test_reply_addresses_belong_to_one_seat_and_stage(played: Played) -> None:
    holders: dict[str, set[str]] = {}
    for mail in played.mails:
        holders.setdefault(mail.reply_to, set()).add(mail.name)
    assert all(len(names) == 1 for names in holders.values())
    for mail in played.mails:
        links = re.findall(r"/(?:m|invitation)/([0-9a-z]{26})", mail.text)
        assert not [link for link in links if f"play+{link}@" in mail.reply_to]


def test_a_mail_answers_the_mail_that_brought_it_about(played: Played) -> None:
    for mail in played.mails:
        if "Your move was played" in mail.text:
            assert mail.message["In-Reply-To"].endswith("@example.org>")
        assert mail.message["References"].startswith(f"<match.{played.match_id}.{NAMES.index(mail.name) + 1}@")


def test_no_line_of_a_mail_reads_as_a_legal_move_of_its_reader(played: Played) -> None:
    assert not played.readable


def test_at_the_end_each_seat_gets_one_mail_with_the_result_and_the_records_address(played: Played) -> None:
    for name in NAMES[: played.seats]:
        final = [mail for mail in played.mails if mail.name == name and "is over" in mail.text]
        assert len(final) == 1
        assert f"/api/matches/{played.match_id}/record" in final[0].text
        assert played.record["commitment"] in final[0].flat


def test_what_was_never_mailed_is_not_kept(played: Played) -> None:
    assert {state for (state,) in played.house.rows(select(OutboxMessage.state))} <= {"sent", "dropped"}
    unsent = select(OutboxMessage.render_data).where(OutboxMessage.state != OutboxState.SENT)
    assert all(not facts for (facts,) in played.house.rows(unsent))


def test_a_notice_composed_twice_is_the_same_bytes(house: House) -> None:
    match_id = house.make("middle-card", 3)
    with house.transaction() as ctx:
        notices = list(ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id)))
        first = [compose(ctx, notice) for notice in notices]
    with house.transaction() as ctx:
        again = [
            compose(ctx, notice) for notice in ctx.session.scalars(select(OutboxMessage).order_by(OutboxMessage.id))
        ]
    assert len(first) == 3
    assert first == again
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
    with house.transaction() as ctx:
        turns = select(OutboxMessage).where(OutboxMessage.kind.in_(("turn", "begun")))
        first = [compose(ctx, notice) for notice in ctx.session.scalars(turns.order_by(OutboxMessage.id))]
    with house.transaction() as ctx:
        again = [compose(ctx, notice) for notice in ctx.session.scalars(turns.order_by(OutboxMessage.id))]
    assert len(first) == 3
    assert first == again
    assert b"image/png" in first[0].raw


def test_a_mail_is_dated_when_it_came_to_be_owed_however_late_it_is_sent(house: House) -> None:
    house.make("minimax", 1)
    yesterday = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    with house.transaction() as ctx:
        ctx.session.execute(update(OutboxMessage).values(created_at=yesterday))
    assert house.only("Ann").message["Date"].datetime == yesterday
