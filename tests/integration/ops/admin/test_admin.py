"""`pbem admin`: what it does, what it says, and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from pbem.boards import drawing_for
from pbem.cli import main
from pbem.db.models import Address, Match, OutboxMessage, ServiceMail, Submission
from pbem.games import Eye
from pbem.ops.admin import runner
from pbem.play.operators.search.pagination import ROWS_PER_PAGE
from pbem.play.submissions.verdicts import IGNORED_AUTOMATIC
from pbem.states import MatchState, OutboxState, ServiceMailStatus, SubmissionStatus
from tests.support.deadlocks import deadlocked
from tests.support.house import NAMES, address, settings
from tests.support.play.operators.office import acted, audited, confirmed, letter_to, player_of
from tests.support.play.upkeep.deadline_tasks import running

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    from tests.support.house import House

    Admin = Callable[..., Result]

WHY = ("--reason", "They asked for it.")


@pytest.fixture
def admin(house: House) -> Admin:
    """Run `pbem admin` on a house."""
    url = house.engine.url.render_as_string(hide_password=False)
    environment = settings(url, house.folder, PBEM_OPERATOR_EMAIL="op@example.org")

    def run(*words: object) -> Result:
        return CliRunner().invoke(main, ["admin", *map(str, words)], env=environment)

    return run


def said(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_match_is_paused_extended_resumed_opened_looked_at_and_called_off(house: House, admin: Admin) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    short = match_id[:5]
    for words, tells in (
        (("pause", short, "--days", 3, *WHY), "are stopped until"),
        (("pause", short, *WHY), "are already stopped"),
        (("resume", short, *WHY), "run again"),
        (("extend", short, "--seat", seat, "--days", 2, *WHY), "has 2 days extra"),
        (("open", short, *WHY), "its players are notified"),
        (("look", short), "board"),
        (("abort", short, *WHY), "is aborted"),
        (("abort", short, *WHY), "is already aborted"),
    ):
        result = admin(*words)
        assert result.exit_code == 0, result.output
        assert tells in result.stdout
    assert [event for event, _by, _seat in acted(house, match_id)] == [
        "paused", "resumed", "extended", "opened", "aborted",
    ]  # fmt: skip
    (seen,) = said(admin("look", short, "--json"))
    assert seen["match"] == match_id
    assert all(line.by.startswith("shell:") and line.request for line in audited(house))


def test_what_is_refused_ends_with_one_and_a_sentence_and_what_is_wrong_with_two(house: House, admin: Admin) -> None:
    match_id = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    for words, status, tells in (
        (("pause", match_id, *WHY), 1, "The match is over.\n"),
        (("pause", "nosuch", *WHY), 1, "There is no match nosuch here.\n"),
        (("look", match_id), 1, "not revealed"),
        (("ban", "Nobody", "--sentence", "No.", *WHY), 1, "There is no player Nobody here.\n"),
        (("retry", "mail", "x"), 1, "“x” is not a number.\n"),
        (("show", "mail", 99999), 1, "There is no mail 99999 here.\n"),
        (("show", "letter", 99999), 1, "There is no letter 99999 here.\n"),
        (("show", "person", "Zoe"), 1, "There is no player Zoe here.\n"),
        (("find", "nothing of this name"), 1, ""),
        (("pause", match_id), 2, "--reason"),
        (("show", "hand", match_id), 2, "hand"),
    ):
        result = admin(*words)
        assert result.exit_code == status, words
        assert tells in result.stderr
    assert audited(house) == []


def test_a_wrong_setting_or_a_database_that_is_away_ends_with_two_and_a_sentence(house: House) -> None:
    result = CliRunner().invoke(main, ["admin", "audit"], env={"DATABASE_URL": "nonsense", "PBEM_SECRET_KEYS": ""})
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    gone = settings("postgresql://nobody@127.0.0.1:1/none", house.folder)
    result = CliRunner().invoke(main, ["admin", "audit"], env=gone)
    assert (result.exit_code, result.stderr) == (2, "The database of the settings does not answer.\n")


def test_an_action_that_ends_in_a_deadlock_can_be_tried_again(
    house: House, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = running(house)
    monkeypatch.setattr(runner, "connect", lambda _url: deadlocked(house.engine.url))
    result = admin("pause", match_id, *WHY)
    sentence = "Somebody changed the same at the same moment, so nothing was done. Try again.\n"
    assert (result.exit_code, result.stderr) == (2, sentence)


def test_people_are_shut_out_let_in_renamed_merged_and_forgotten(house: House, admin: Admin) -> None:
    house.make("martian-whist", 2)
    confirmed(house, "Ann", "Bob")
    ann, bob = player_of(house, "Ann"), player_of(house, "Bob")
    for words in (
        ("ban", address("Bob"), "--sentence", "Not so.", *WHY),
        ("unban", "Bob", *WHY),
        ("rename", bob, "Robert", *WHY),
        ("merge", bob, ann, *WHY),
        ("forget", ann, *WHY),
    ):
        assert admin(*words).exit_code == 0, words
    assert [line.act for line in audited(house)] == ["forget", "merge", "rename", "unban", "ban"]


def test_the_first_operator_is_appointed_here(house: House, admin: Admin) -> None:
    house.start_match("minimax", 1)
    assert said(admin("operators", "list", "--json")) == []
    assert "Nothing found." in admin("operators", "list").stdout
    with house.transaction() as ctx:
        ctx.session.get_one(Address, address("Ann")).verified_at = None
    assert admin("operators", "appoint", "Ann").exit_code == 1
    confirmed(house, "Ann")
    assert "is an operator now, as Ann" in admin("operators", "appoint", "Ann").stdout
    (row,) = said(admin("operators", "list", "--json"))
    assert (row["player"], row["name"], row["codes"]) == (player_of(house, "Ann"), "Ann", False)
    assert admin("operators", "forget-factor", "Ann", *WHY).exit_code == 0
    assert admin("operators", "dismiss", "Ann").exit_code == 0
    assert said(admin("operators", "list", "--json")) == []
    assert len(said(admin("operators", "list", "--dismissed", "--json"))) == 1


def test_mail_is_stopped_lifted_tried_again_and_forwarded(house: House, admin: Admin) -> None:
    match_id = running(house)
    name = NAMES[house.match(match_id).to_move[0] - 1]
    (number,) = house.all(
        select(OutboxMessage.id).where(OutboxMessage.kind == "turn").order_by(OutboxMessage.id.desc()).limit(1)
    )
    with house.transaction() as ctx:
        ctx.session.execute(
            update(OutboxMessage)
            .where(OutboxMessage.id == number)
            .values(state=OutboxState.FAILED, render_data={}, error="552")
        )
    letter = letter_to(house, "postmaster@games.localhost")
    for words, tells in (
        (("suppress", address(name), *WHY), "is suppressed now"),
        (("lift", address(name), *WHY), "again"),
        (("retry", "mail", f"#{number}"), "is replaced by a new one"),
        (("forward", letter), "forwarded"),
    ):
        result = admin(*words)
        assert result.exit_code == 0, result.output
        assert tells in result.stdout
    assert admin("retry", "letter", letter).exit_code == 1
    assert [row["mail"] for row in said(admin("mails", "--state", "dropped", "--json"))] == [number]
    assert said(admin("mails", "--to", address(name), "--match", match_id[:5], "--most", 1, "--json"))


def test_what_was_set_aside_is_listed_and_taken_up_again(house: House, admin: Admin) -> None:
    running(house)
    letter = letter_to(house, house.config.service_address)
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.FAILED))
        ctx.session.execute(update(ServiceMail).values(status=ServiceMailStatus.FAILED))
    (name,) = house.all(select(Submission.id))
    rows = said(admin("quarantine", "--json"))
    assert [row.get("submission") or row.get("letter") for row in rows] == [name[:12], letter]
    assert "failed" in admin("quarantine").stdout
    assert admin("retry", "submission", name[:12]).exit_code == 0
    assert admin("retry", "letter", letter).exit_code == 0
    assert said(admin("quarantine", "--json")) == []
    assert [row["status"] for row in said(admin("submissions", "--json"))] == ["pending"]
    assert [row["status"] for row in said(admin("letters", "--json"))] == ["pending"]


def test_everything_is_found_and_shown_and_no_hand_is_among_it(house: House, admin: Admin) -> None:
    match_id = house.start_match("martian-trickery", 3)
    (mail, *_others) = house.all(select(OutboxMessage.id).order_by(OutboxMessage.id.desc()))
    ann = player_of(house, "Ann")
    for words in (
        ("find", "ann@example.org", "--json"),
        ("find", match_id, "--json"),
        ("show", "person", ann, "--json"),
        ("show", "match", match_id[:5], "--json"),
        ("show", "mail", mail, "--json"),
        ("matches", "--json"),
        ("matches", "--person", "Ann", "--json"),
        ("mails", "--json"),
    ):
        rows = said(admin(*words))
        assert rows, words
        assert "facts" not in str(rows)
    (shown,) = said(admin("show", "match", match_id, "--json"))
    assert [seat["name"] for seat in shown["seats"]] == list(NAMES[:3])
    with house.course(match_id) as (_, course):
        views = {eye: course.game.view(course.position, eye).board for eye in Eye}
        drawn = {eye: drawing_for("martian-trickery").text(board, NAMES[:3]) for eye, board in views.items()}
    assert shown["text"] == drawn[Eye.PUBLIC] != drawn[Eye.OPEN]
    for words in (
        ("show", "match", match_id),
        ("show", "person", "Ann"),
        ("find", "Ann"),
        ("matches", "--stuck", "quiet"),
    ):
        assert admin(*words).exit_code == 0
    assert said(admin("matches", "--state", "over", "--json")) == []


def test_a_list_of_matches_says_which_and_how_all_are_listed(house: House, admin: Admin) -> None:
    ended, runs = (house.start_match("minimax", 1) for _ in range(2))
    with house.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == ended).values(state=MatchState.OVER, ended_at=ctx.now))
    listed = admin("matches")
    assert listed.stderr == "Running matches; --state all lists all.\n"
    assert runs in listed.stdout
    assert ended not in listed.stdout
    assert {row["match"] for row in said(admin("matches", "--state", "all", "--json"))} == {ended, runs}


def test_a_submission_is_shown_by_its_name_or_by_what_logs_tell_of_it(house: House, admin: Admin) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "nonsense")
    (name,) = house.all(select(Submission.id))
    for typed in (name, name[:12], name[:12].upper()):
        (shown,) = said(admin("show", "submission", typed, "--json"))
        assert (shown["submission"], shown["status"]) == (name[:12], "rejected")
    nobody = admin("show", "submission", "0" * 12)
    assert (nobody.exit_code, nobody.stderr) == (1, "There is no submission 000000000000 here.\n")


def test_an_ignored_mail_is_shown_with_whose_it_was(house: House, admin: Admin) -> None:
    house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "I am away.", Auto_Submitted="auto-replied")
    (shown,) = said(admin("show", "submission", house.all(select(Submission.id))[0][:12], "--json"))
    assert (shown["why"], shown["answer"]) == (IGNORED_AUTOMATIC, "")


def test_a_list_may_be_longer_than_a_page(house: House, admin: Admin) -> None:
    made = [house.make("minimax", 1) for _ in range(ROWS_PER_PAGE + 5)]
    for most, count in ((ROWS_PER_PAGE + 2, ROWS_PER_PAGE + 2), (1000, len(made))):
        rows = said(admin("matches", "--state", "inviting", "--most", most, "--json"))
        assert [row["match"] for row in rows] == made[::-1][:count]


def test_whoever_acts_without_a_name_stands_in_the_audit_by_their_number(
    house: House, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setattr("getpass.getuser", nameless)
    monkeypatch.setattr("os.getuid", lambda: 4711)
    assert admin("pause", running(house), *WHY).exit_code == 0
    assert [line.by for line in audited(house)] == ["shell:4711"]


def test_the_person_behind_sudo_stands_in_the_audit(
    house: House, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "pbem")
    monkeypatch.setenv("SUDO_USER", "ann")
    assert admin("pause", running(house), *WHY).exit_code == 0
    assert [line.by for line in audited(house)] == ["shell:ann"]


def test_the_audit_is_listed_newest_first_and_by_subject(house: House, admin: Admin) -> None:
    match_id = running(house)
    admin("pause", match_id, *WHY)
    admin("resume", match_id, *WHY)
    admin("suppress", "zoe@example.org", *WHY)
    rows = said(admin("audit", "--json"))
    assert [row["act"] for row in rows] == ["suppress", "resume", "pause"]
    assert [row["act"] for row in said(admin("audit", "--before", rows[0]["number"], "--most", 1, "--json"))] == [
        "resume"
    ]
    assert len(said(admin("audit", "--of", "match", match_id, "--json"))) == 2
    assert len(said(admin("audit", "--of", "address", "zoe@example.org", "--json"))) == 1
    assert len(said(admin("audit", "--act", "pause", "--json"))) == 1
    assert "They asked for it." in admin("audit").stdout
