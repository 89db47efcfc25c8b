"""A change of secret keys: nobody notices while the old one is listed, and it ends with it in one clear sentence."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from pbem.cli import main
from pbem.config import from_environment
from pbem.db.models import LogEntry, Operator, Token
from pbem.play.core import tokens
from pbem.play.operators import totp
from tests.support.house import address, settings
from tests.support.play.notifications.push_service import add, push_service
from tests.support.play.operators.office import operator, types_a_code
from tests.support.web.account.sign_in import sign_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    from tests.support.house import House
    from tests.support.receiver import Receiver

    Asking = Callable[..., Result]

__all__ = ["push_service"]
OLD, NEW = "0" * 40, "n" * 40
GONE = "This link is not valid. Use the link in the newest mail about your match."
STEPS = (((OLD,), (NEW, OLD)), ((NEW, OLD), (OLD, NEW)))
"""What parts of the service are set to, side by side, while they are restarted one after the other."""


def log(house: House, match_id: str) -> list[str]:
    wanted = select(LogEntry).where(LogEntry.match_id == match_id).order_by(LogEntry.number)
    return [entry.move or entry.event for entry in house.all(wanted)]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("step", STEPS, ids=["the new one is added", "the new one signs"])
@pytest.mark.parametrize("first", [0, 1], ids=["before and after", "after and before"])
def test_a_move_is_played_by_parts_that_have_unlike_keys(
    local: House, step: tuple[tuple[str, ...], ...], first: int
) -> None:
    one, other = local.with_keys(*step[first]), local.with_keys(*step[1 - first])
    match_id = one.start_match("martian-whist", 2)
    for name, take, looks, plays in (("Ann", "take 7", one, other), ("Bob", "take 8", other, one)):
        # Looked at by one part, sent to the other.
        form = visitor(looks).open(f"/m/{plays.last(name).token}").follow(take).form("Play this move")
        assert "Your move was played" in visitor(plays).send(form, form.fields).words
    assert log(local, match_id) == ["take 7", "take 8"]


def test_a_link_of_months_ago_plays_while_its_key_is_listed_and_is_refused_after(local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    mail = local.last("Ann")
    both, newer = local.with_keys(OLD, NEW), local.with_keys(NEW)
    with both.transaction() as ctx:
        ctx.session.execute(update(Token).values(issued_at=datetime.now(UTC) - timedelta(days=200)))
    gone = visitor(newer).open(f"/m/{mail.token}")
    assert (gone.status, GONE in gone.words) == (404, True)
    answer = newer.send(b"From: ann@example.org\r\n\r\ntake 7\r\n", mail.reply_to, address("Ann"))
    assert answer.code == 550
    assert log(newer, match_id) == []
    visitor(both).open(f"/m/{mail.token}").follow("take 7").press("Play this move")
    both.judge(match_id)
    assert log(both, match_id) == ["take 7"]
    # The next mail is one by the new key, and so outlives the old one.
    with newer.transaction() as ctx:
        assert tokens.find(ctx, both.last("Bob").token, tokens.LINK)


@pytest.mark.usefixtures("judged")
def test_who_is_signed_in_stays_so_and_gets_to_their_seats_without_the_old_key(local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    site = visitor(local, keeps=True)
    sign_in(local, site, "Ann")
    newer = visitor(local.with_keys(NEW), keeps=True)
    kept = site.client.get_cookie("pbem", domain="127.0.0.1")
    assert kept
    newer.client.set_cookie("pbem", kept.value, domain="127.0.0.1")
    page = newer.open(next(link for link in newer.open("/mine").links.values() if match_id in link or "/m/" in link))
    assert page.status == 200
    assert "take 7" in page.links


def test_a_row_that_somebody_slipped_in_opens_nothing(house: House) -> None:
    match_id = house.start_match("minimax", 1)
    holder = house.all(select(Token))[0].holder_id
    with house.transaction() as ctx:
        forged = "0" * tokens.LENGTH
        row = Token(hash=tokens.hash_token(forged), kind=tokens.LINK, holder_id=holder, ply=1, generation=1)
        row.issued_at = ctx.now
        ctx.session.add(row)
        ctx.session.flush()
        assert tokens.find(ctx, forged, tokens.LINK) is None
        assert not tokens.find_valid(ctx, [forged], tokens.LINK)
    assert log(house, match_id) == []


# -- the command ---------------------------------------------------------------------------------------


@pytest.fixture
def asked(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Run `pbem keys` with the settings of a house."""

    def run(*words: str, keys: str = OLD, url: str | None = None) -> Result:
        there = url or house.engine.url.render_as_string(hide_password=False)
        for name, value in settings(there, tmp_path, PBEM_SECRET_KEYS=keys).items():
            monkeypatch.setenv(name, value)
        return CliRunner().invoke(main, ["keys", *words])

    return run


def keys_of(line: str) -> tuple[str, ...]:
    return from_environment({**os.environ, "PBEM_SECRET_KEYS": line.partition("=")[2]}).secret_keys


def test_the_steps_are_printed_as_lines_of_the_settings(asked: Asking) -> None:
    added = asked("--add")
    fresh, old = keys_of(added.stdout.strip())
    assert (old, len(fresh), added.exit_code) == (OLD, 64, 0)
    assert "`pbem keys --sign`" in added.stderr
    signs = asked("--sign", keys=f"{fresh},{OLD}")
    assert keys_of(signs.stdout.strip()) == (OLD, fresh)
    dropped = asked("--drop", tokens.key_id(OLD), keys=f"{OLD},{fresh}")
    assert keys_of(dropped.stdout.strip()) == (fresh,)
    assert added.stdout.count("\n") == signs.stdout.count("\n") == dropped.stdout.count("\n") == 1


def test_a_key_that_has_leaked_is_replaced_by_one_command(asked: Asking) -> None:
    at_once = asked("--add", "--sign", "--drop", tokens.key_id(OLD))
    (fresh,) = keys_of(at_once.stdout.strip())
    assert (len(fresh), fresh == OLD, at_once.exit_code) == (64, False, 0)
    assert "Restart all parts with this line at the same time" in at_once.stderr
    assert "is not valid then" in at_once.stderr
    together = asked("--add", "--sign", keys=f"{OLD},{NEW}")
    assert keys_of(together.stdout.strip())[:2] == (OLD, NEW)
    assert len(keys_of(together.stdout.strip())) == 3
    assert together.stderr.startswith("Restart all parts with this line at the same time")
    # Without `--sign` it is the one that signs, whatever was added.
    assert asked("--add", "--drop", tokens.key_id(OLD)).exit_code == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--sign",), "There is only one key: add another one first with --add."),
        (("--drop", "x"), "There is no key x. Keys: "),
        (("--drop", tokens.key_id(OLD)), "signs: let another one sign first"),
    ],
)
def test_a_step_that_cannot_be_taken_prints_no_line(asked: Asking, words: tuple[str, ...], says: str) -> None:
    refused = asked(*words)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert says in refused.stderr


def test_it_lists_what_hangs_on_each_key_and_tells_none(house: House, asked: Asking) -> None:
    house.start_match("martian-whist", 2)
    house.with_keys(OLD, NEW).start_match("minimax", 1)
    said = asked(keys=f"{OLD},{NEW}")
    assert said.stdout.splitlines() == [
        f"{tokens.key_id(OLD)}  is accepted  newest links of 2 seats",
        f"{tokens.key_id(NEW)}  signs        newest links of 1 seats",
    ]
    assert OLD not in said.output
    gone = asked(keys=NEW)
    assert gone.stdout.splitlines()[1].endswith("newest links of 2 seats, which get new ones with their next mail")


def test_it_lists_the_devices_that_hang_on_each_key(house: House, asked: Asking, push_service: Receiver) -> None:
    match_id = house.start_match("martian-whist", 2)
    add(house.with_keys(OLD, NEW), match_id, f"{push_service.url}/device")
    assert asked(keys=f"{OLD},{NEW}").stdout.splitlines()[1].endswith("newest links of 0 seats, 1 notified devices")


def test_operators_codes_go_over_to_the_new_key_as_they_are_used(house: House, asked: Asking) -> None:
    house.start_match("martian-whist", 2)
    both, newer = house.with_keys(OLD, NEW), house.with_keys(NEW)
    for name in ("Ann", "Bob"):
        operator(house, name)
        types_a_code(house, name)
    secret = types_a_code(both, "Bob")
    assert asked(keys=f"{OLD},{NEW}").stdout.splitlines() == [
        f"{tokens.key_id(OLD)}  is accepted  newest links of 2 seats, codes of Ann",
        f"{tokens.key_id(NEW)}  signs        newest links of 0 seats, codes of Bob",
    ]
    dropped = asked("--drop", tokens.key_id(OLD), keys=f"{OLD},{NEW}")
    assert keys_of(dropped.stdout.strip()) == (NEW,)
    assert "It encrypts the codes of Ann: keep it until" in dropped.stderr
    assert "Bob" not in dropped.stderr
    (bob,) = house.all(select(Operator).where(Operator.name == "Bob"))
    assert totp.decrypt_secret(newer.config, bob) == secret
    gone = asked(keys=NEW).stdout.splitlines()
    assert gone[-1].endswith("codes of Ann, which do not work until the key is back")
    types_a_code(both, "Ann")
    assert "seals" not in asked("--drop", tokens.key_id(OLD), keys=f"{OLD},{NEW}").stderr


def test_a_key_is_dropped_without_a_database_but_not_without_a_word(asked: Asking) -> None:
    dropped = asked("--drop", tokens.key_id(OLD), keys=f"{OLD},{NEW}", url="postgresql://nobody@127.0.0.1:1/nothing")
    assert (dropped.exit_code, keys_of(dropped.stdout.strip())) == (0, (NEW,))
    assert "The database does not answer, so it is unknown what depends on the key." in dropped.stderr


def test_without_its_database_it_still_names_the_keys(asked: Asking) -> None:
    said = asked(url="postgresql://nobody@127.0.0.1:1/nothing")
    assert said.stdout == f"{tokens.key_id(OLD)}  signs        the database does not answer\n"
