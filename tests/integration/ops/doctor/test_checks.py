"""What the doctor says of the parts of a service, each looked at alone; database, broker and mail servers are real."""

from __future__ import annotations

import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, select, text, update

from pbem.db.models import Heartbeat, OutboxMessage
from pbem.disk_usage import Disk, Floor
from pbem.ops import doctor
from pbem.ops.doctor import Check, Level, clock, disk
from pbem.ops.doctor.check import passed
from pbem.play.notifications import failed_mails
from pbem.play.operators import membership
from pbem.play.upkeep import after_restore, sweeper
from tests.support.live_service import free_port
from tests.support.play.operators.office import SHELL, WHY, operator, player_of, types_a_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.ops.doctor import CheckContext
    from pbem.ops.doctor.check import Result
    from tests.support.house import House
    from tests.support.ops.doctor.patient import Patient

NOBODY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
DRAWN = "0123456789abcdef" * 2


def away(patient: Patient) -> Patient:
    engine = create_engine(NOBODY, connect_args={"connect_timeout": 1})
    return replace(patient, ground=replace(patient.ground, engine=engine))


# -- the database --------------------------------------------------------------------------------------------------


def test_a_database_that_answers_is_well_but_for_its_care(patient: Patient) -> None:
    # The tests' own is careless about the disk, as none in service may be.
    well, careless = patient.told("database")
    assert well[0] is Level.PASS
    said = "A crash could lose confirmed moves, because this is off: fsync, full_page_writes, synchronous_commit."
    assert careless == (Level.FAIL, said)


def test_a_database_that_is_too_old_is_told(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.ops.doctor.database.MIN_POSTGRES_VERSION", 1000)
    _answers, old, _careless = patient.told("database")
    assert (old[0], old[1].endswith(" is too old.")) == (Level.FAIL, True)


def test_a_database_that_is_away_keeps_others_waiting(patient: Patient) -> None:
    found = list(doctor.run_checks(away(patient).ground, {"mail out", "pages", "broker", "SPF", "DKIM", "DMARC", "MX"}))
    told = {each.name: (each.level, each.text) for each in found}
    assert told["database"][0] is Level.FAIL
    assert told["database"][1].startswith("The database does not answer: connection")
    for name in ("migrations", "standby", "clock of the database", "worker"):
        assert told[name] == (Level.WARN, "Skipped, because “database” did not pass.")
    assert told["mail in"] == (Level.WARN, "Skipped, because “migrations” did not pass.")


def test_the_tables_are_those_of_the_code(house: House, patient: Patient) -> None:
    assert patient.only("migrations")[0] is Level.PASS
    with house.engine.begin() as connection:
        at = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    try:
        for version, level, said in (
            ("", Level.FAIL, "The tables are at revision none, but this version needs "),
            ("9999", Level.WARN, "The tables are at revision 9999, which this version does not know"),
        ):
            _set_version(house, version)
            found = patient.only("migrations")
            assert (found[0], found[1][: len(said)]) == (level, said)
    finally:
        _set_version(house, at)


def _set_version(house: House, version: str) -> None:
    with house.engine.begin() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
        if version:
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": version})


def test_without_a_standby_the_last_moves_can_be_lost(patient: Patient) -> None:
    level, said = patient.only("standby")
    assert (level, said.split(":")[0]) == (Level.WARN, "There is no synchronous standby")


def test_a_standby_that_is_wanted_and_does_not_follow_is_told(patient: Patient) -> None:
    with patient.ground.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ALTER SYSTEM SET synchronous_standby_names = 'second'"))
        connection.execute(text("SELECT pg_reload_conf()"))
        try:
            level, said = _until_it_says(patient, "second")
        finally:
            connection.execute(text("ALTER SYSTEM RESET synchronous_standby_names"))
            connection.execute(text("SELECT pg_reload_conf()"))
    assert (level, said.split(",")[0]) == (Level.FAIL, "No synchronous standby follows")


def _until_it_says(patient: Patient, word: str) -> tuple[Level, str]:
    found = patient.only("standby")
    for _ in range(200):
        if word in found[1]:
            break
        found = patient.only("standby")
    return found


# -- clocks and disks ------------------------------------------------------------------------------------------------


def test_the_database_here_has_the_time_of_here(patient: Patient) -> None:
    assert patient.only("clock of the database") == (Level.PASS, "This machine and the database agree on the time.")


@pytest.mark.parametrize(
    ("seconds", "level"),
    [(0.9, Level.PASS), (-0.9, Level.PASS), (1.0, Level.WARN), (-9.9, Level.WARN), (10, Level.FAIL), (-99, Level.FAIL)],
)
def test_clocks_that_differ_are_told(seconds: float, level: Level) -> None:
    assert clock.offset_result(seconds).level is level


def test_which_clock_is_ahead_is_told() -> None:
    assert clock.offset_result(3).text == "The database's clock is 3.0 s ahead of this machine's."
    assert clock.offset_result(-3).text == "The database's clock is 3.0 s behind this machine's."


def test_a_clock_that_nothing_sets_right_is_told(patient: Patient) -> None:
    assert [clock.kernel_result(state).level for state in (None, 0, 5)] == [Level.PASS, Level.PASS, Level.WARN]
    assert patient.only("clock")[0] in {Level.PASS, Level.WARN}


def test_a_machine_that_tells_nothing_of_its_clock_is_believed(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on macOS, whose library has no such call.
    monkeypatch.setattr("ctypes.CDLL", lambda _name: object())
    assert patient.only("clock") == (Level.PASS, "This machine does not report how its clock is kept in sync.")


@pytest.mark.parametrize(
    ("left", "total", "level"),
    [
        (20e9, 40e9, Level.PASS),
        (3e9, 40e9, Level.WARN),
        (1.9e9, 10e9, Level.WARN),
        (1.9e9, 40e9, Level.FAIL),
        (0.4e9, 1e9, Level.FAIL),
    ],
)
def test_a_disk_without_room_is_told(left: float, total: float, level: Level, tmp_path: Path) -> None:
    assert disk.disk_result(Disk(tmp_path, 1, int(left), int(total)), Floor()).level is level


def test_each_disk_is_told_of_once(patient: Patient, tmp_path: Path) -> None:
    here = patient.with_settings(smtp_url=f"maildir://{tmp_path}/not%20there")
    found = [said.rpartition(" ")[2] for _, said in here.told("disk")]
    assert found
    assert len(found) == len(set(found))
    assert away(here).told("disk")


@pytest.mark.parametrize(
    ("age", "level"),
    [
        (timedelta(hours=1), Level.PASS),
        (timedelta(days=2, minutes=1), Level.WARN),
        (timedelta(days=7, minutes=1), Level.FAIL),
    ],
)
def test_old_backups_are_told(house: House, patient: Patient, age: timedelta, level: Level) -> None:
    assert patient.only("backup")[0] is Level.WARN
    with house.transaction() as ctx:
        after_restore.record_backup(ctx.session, ctx.now - age)
    assert patient.only("backup")[0] is level


# -- the broker and the parts -----------------------------------------------------------------------------------------


def test_a_broker_answers_or_does_not(patient: Patient, valkey: str) -> None:
    assert patient.with_settings(redis_url=valkey).only("broker")[0] is Level.PASS
    for gone in (f"redis://127.0.0.1:{free_port()}/0", "nonsense://x"):
        level, said = patient.with_settings(redis_url=gone).only("broker")
        assert (level, said.split(":")[0]) == (Level.FAIL, "The broker does not answer")


def test_without_a_heartbeat_beat_is_missed(house: House, patient: Patient, valkey: str) -> None:
    alive = patient.with_settings(redis_url=valkey)
    level, said = alive.only("beat")
    assert (level, said.split(":")[0]) == (Level.FAIL, "No periodic task has run yet")
    with house.transaction(datetime.now(UTC) - timedelta(minutes=5)) as ctx:
        sweeper.record_heartbeat(ctx, "worker")
    assert alive.only("beat")[1].startswith("The last periodic task ran at ")
    with house.transaction() as ctx:
        sweeper.record_heartbeat(ctx, "worker")
    assert alive.only("beat") == (Level.PASS, "Periodic tasks run on time.")


def test_a_worker_that_does_nothing_is_told(
    house: House, patient: Patient, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.ops.doctor.processes.TIMEOUT_SECONDS", 0.2)
    alive = patient.with_settings(redis_url=valkey)
    assert alive.only("worker") == (Level.FAIL, "No worker runs tasks: there has been no heartbeat yet.")
    with house.transaction(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) as ctx:
        sweeper.record_heartbeat(ctx, "worker")
    assert alive.only("worker")[1].endswith("the last heartbeat was at 2026-01-02 03:04:05 UTC.")
    assert [row.seen_at.year for (row,) in house.rows(_heartbeats())] == [2026]


def _heartbeats() -> object:
    return select(Heartbeat)


class Page(BaseHTTPRequestHandler):
    """A web server that answers as its class says."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def pages() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join(10)
    server.server_close()


def test_pages_answer_under_their_address(
    patient: Patient, pages: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = patient.with_settings(base_url=f"http://127.0.0.1:{pages}")
    assert here.only("pages")[1] == "The pages are served by http: others can read the links to seats on their way."
    at_home = here.with_settings(smtp_url=f"maildir://{tmp_path}")
    assert at_home.only("pages") == (Level.PASS, f"http://127.0.0.1:{pages} answers.")
    monkeypatch.setattr(Page, "status", 400)
    assert at_home.only("pages") == (Level.FAIL, f"http://127.0.0.1:{pages}/healthz answers 400, not 200.")
    below = at_home.with_settings(base_url=f"http://127.0.0.1:{pages}/games")
    assert below.only("pages")[1].endswith("/games/healthz answers 404, not 200.")
    gone = patient.with_settings(base_url=f"https://127.0.0.1:{free_port()}")
    assert " does not answer: " in gone.only("pages")[1]


def test_a_certificate_is_looked_at(
    patient: Patient, certified: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = certified
    server = HTTPServer(("127.0.0.1", 0), Page)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    secure = patient.with_settings(base_url=f"https://localhost:{server.server_port}")
    try:
        level, said = secure.only("pages")
        assert (level, said[:18]) == (Level.FAIL, "The certificate of")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert secure.only("pages") == (Level.PASS, f"https://localhost:{server.server_port} answers.")
        monkeypatch.setattr("pbem.ops.doctor.processes.CERTIFICATE_WARN_BEFORE", timedelta(days=40))
        level, said = secure.only("pages")
        assert (level, said[:26]) == (Level.WARN, "The certificate expires on")
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


# -- keys --------------------------------------------------------------------------------------------------------------


def test_keys_that_were_drawn_are_well(patient: Patient) -> None:
    one = patient.with_settings(secret_keys=(DRAWN,))
    assert one.only("keys") == (Level.PASS, "PBEM_SECRET_KEYS holds 1 key, which signs.")
    two = patient.with_settings(secret_keys=(DRAWN, DRAWN[::-1]))
    assert two.only("keys") == (Level.PASS, "PBEM_SECRET_KEYS holds 2 keys: the last one signs, all are accepted.")


def test_keys_that_are_none_are_told(patient: Patient) -> None:
    assert patient.only("keys") == (Level.FAIL, "A key in PBEM_SECRET_KEYS is easy to guess.")
    twice = patient.with_settings(secret_keys=(DRAWN, DRAWN))
    assert [level for level, _ in twice.told("keys")] == [Level.WARN, Level.PASS]
    shared = patient.with_settings(secret_keys=(DRAWN,), incoming_key=DRAWN)
    assert shared.only("keys")[0] is Level.FAIL


def test_keys_that_others_can_read_are_told(patient: Patient, tmp_path: Path) -> None:
    settings, key = tmp_path / "pbem.env", tmp_path / "dkim.pem"
    for file in (settings, key):
        file.touch(0o600)
    drawn = patient.with_settings(secret_keys=(DRAWN,), dkim_key=str(key))
    here = replace(drawn, ground=replace(drawn.ground, settings=settings))
    assert here.only("keys")[0] is Level.PASS
    settings.chmod(0o640)
    key.chmod(0o604)
    assert here.told("keys") == [
        (Level.FAIL, f"The settings in {settings} can be read by other users of this machine."),
        (Level.FAIL, f"The DKIM key in {key} can be read by other users of this machine."),
    ]


def test_what_is_set_and_not_read_is_told(patient: Patient) -> None:
    assert patient.only("settings") == (Level.PASS, "All settings are known.")
    odd = patient.with_settings(unknown_settings=("PBEM_X is not a setting and is ignored.",))
    assert odd.only("settings") == (Level.WARN, "PBEM_X is not a setting and is ignored.")


def test_mails_that_could_not_be_written_are_counted(patient: Patient, house: House) -> None:
    assert patient.only("mails given up") == (Level.PASS, "All mails could be written.")
    house.start_match("minimax", 1)
    with house.transaction() as ctx:
        gone = {"state": "failed", "finished_at": ctx.now, "error": failed_mails.rendering_error(KeyError("x"))}
        ctx.session.execute(update(OutboxMessage).values(gone))
    level, said = patient.only("mails given up")
    assert (level, said.partition(",")[0]) == (Level.WARN, "2 mails could not be written")


def test_operators_codes_are_told_that_hang_on_an_older_key_or_on_none(patient: Patient, house: House) -> None:
    sealed_by, signs = house.config.secret_keys[-1], DRAWN
    assert patient.only("codes")[0] is Level.PASS
    house.start_match("minimax", 1)
    operator(house, "Ann")
    types_a_code(house, "Ann")
    assert patient.only("codes")[0] is Level.PASS
    older = patient.with_settings(secret_keys=(sealed_by, signs))
    level, said = older.only("codes")
    assert (level, said.endswith("encrypts the codes of Ann.")) == (Level.WARN, True)
    level, said = patient.with_settings(secret_keys=(signs,)).only("codes")
    assert (level, said.endswith("these do not work.")) == (Level.WARN, True)
    types_a_code(house.with_keys(sealed_by, signs), "Ann")
    assert older.only("codes")[0] is Level.PASS
    with house.transaction() as ctx:
        membership.dismiss(ctx, SHELL, player_of(house, "Ann"), WHY)
    assert patient.only("codes")[0] is Level.PASS


# -- checks as such ----------------------------------------------------------------------------------------------------


def test_each_check_comes_after_those_that_it_needs() -> None:
    found: list[str] = []
    for check in doctor.all_checks():
        assert set(check.needs) <= set(found)
        found.append(check.name)
    assert len(found) == len(set(found))


def test_a_check_that_breaks_is_told_and_keeps_nobody_from_the_others(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_ground: CheckContext) -> Iterator[Result]:
        yield passed(str(1 // 0))

    known = {check.name: check for check in doctor.all_checks()}
    monkeypatch.setattr(doctor, "all_checks", lambda: (Check("odd", broken), Check("next", broken), known["clock"]))
    told = [(found.name, found.level, found.text) for found in doctor.run_checks(patient.ground)]
    assert told[0] == ("odd", Level.FAIL, "This could not be checked: integer division or modulo by zero")
    assert [name for name, _, _ in told] == ["odd", "next", "clock"]
