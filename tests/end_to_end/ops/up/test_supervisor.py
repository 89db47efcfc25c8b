import os
import signal
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest

from pbem.ops.up import supervisor as supervisor_module
from pbem.ops.up.errors import StartError
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import MAX_LOG_BYTES, Part, running
from pbem.ops.up.supervisor import SupervisedPart, Supervisor
from tests.support.ops.up.supervise import process_of, said, step_until

__all__ = ["said"]


def python(name: str, code: str, folder: Path, **more: object) -> Part:
    return Part(name, (sys.executable, "-c", code), folder / f"{name}.log", **more)  # type: ignore[arg-type]


def sleeper(name: str, folder: Path, **more: object) -> Part:
    return python(name, "import time; print('here', flush=True); time.sleep(60)", folder, **more)


def test_a_killed_part_is_started_again_and_the_others_stay(tmp_path: Path, said: list[str]) -> None:
    with Supervisor(said.append) as supervisor:
        supervisor.start(sleeper("one", tmp_path), sleeper("two", tmp_path))
        one, two = process_of(supervisor, "one"), process_of(supervisor, "two")
        os.kill(one, signal.SIGKILL)
        step_until(supervisor, lambda: process_of(supervisor, "one") not in {0, one})
        assert process_of(supervisor, "two") == two
    assert said[:2] == ["one … started", "two … started"]
    assert said[2:] == ["one ended (by SIGKILL); restarting it"]


def test_a_part_that_keeps_ending_is_started_ever_later(tmp_path: Path, said: list[str]) -> None:
    charge = SupervisedPart(python("broken", "raise SystemExit(3)", tmp_path))
    pauses = []
    for _ in range(6):
        charge.retry_at, pause, began = 0, charge.retry_seconds, time.monotonic()
        charge.step(said.append)
        while charge.run is not None:
            charge.step(said.append)
        assert began + pause <= charge.retry_at <= time.monotonic() + pause
        pauses.append(round(pause, 1))
    assert pauses == [0.1, 0.3, 0.9, 2.7, 5.0, 5.0]
    assert set(said) == {"broken ended (status 3); restarting it"}


def test_a_part_that_ran_for_long_is_started_again_soon(
    tmp_path: Path,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor_module, "STABLE_AFTER_SECONDS", 0.0)
    charge = SupervisedPart(python("steady", "", tmp_path), retry_seconds=5.0)
    charge.step(said.append)
    while charge.run is not None:
        charge.step(said.append)
    assert charge.retry_at - time.monotonic() < 0.2


def test_a_start_that_fails_ends_with_the_end_of_the_log(tmp_path: Path, said: list[str]) -> None:
    broken = python("web", "raise SystemExit('no such setting')", tmp_path, ready=lambda: False)
    with Supervisor(said.append) as supervisor, pytest.raises(StartError, match="The web did not start") as failed:
        supervisor.start(sleeper("mail", tmp_path), broken)
    assert str(failed.value).endswith("no such setting")
    assert failed.value.status == 1
    assert said.count("web ended (status 1); restarting it") == 3


def test_a_start_that_takes_too_long_is_given_up(tmp_path: Path, said: list[str]) -> None:
    slow = sleeper("slow", tmp_path, ready=lambda: False)
    with Supervisor(said.append) as supervisor, pytest.raises(StartError, match="The slow did not start"):
        supervisor.start(slow, within=0.3)
    with pytest.raises(StartError, match="The slow did not start"), running(slow, within=0.1):
        pass


def test_a_part_that_does_its_work_is_waited_for(tmp_path: Path, said: list[str]) -> None:
    with Supervisor(said.append) as supervisor:
        supervisor.finish(python("upgrade", "", tmp_path))
        with pytest.raises(StartError, match="The upgrade did not start"):
            supervisor.finish(python("upgrade", "raise SystemExit(1)", tmp_path))
    assert len(said) == 1
    assert said[0].startswith("upgrade … done in ")


def test_the_work_stops_too_when_asked(tmp_path: Path, said: list[str]) -> None:
    with Supervisor(said.append) as supervisor:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
        began = time.monotonic()
        with pytest.raises(SystemExit):
            supervisor.finish(sleeper("upgrade", tmp_path))
    assert time.monotonic() - began < 30


def test_parts_stop_rank_by_rank(tmp_path: Path, said: list[str]) -> None:
    order = tmp_path / "order"
    code = (
        "import signal, sys\n"
        "def end(*_):\n    open({order!r}, 'a').write({name!r}); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\nprint('here', flush=True)\nwhile True: signal.pause()"
    )
    with Supervisor(said.append) as supervisor:
        for rank, name in ((2, "c"), (0, "a"), (1, "b")):
            script = code.format(order=str(order), name=name)
            log = tmp_path / f"{name}.log"
            supervisor.start(
                python(
                    name,
                    script,
                    tmp_path,
                    rank=rank,
                    grace_seconds=9.0,
                    ready=lambda log=log: "here" in log.read_text(),
                )
            )
        supervisor.stop_requests = 0
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        supervisor.watch()
    assert order.read_text() == "abc"


def test_asked_twice_it_waits_for_nobody(tmp_path: Path, said: list[str]) -> None:
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True); signal.pause()"
    log = tmp_path / "stubborn.log"
    with Supervisor(said.append) as supervisor:
        supervisor.start(
            python("stubborn", code, tmp_path, grace_seconds=60.0, ready=lambda: "here" in log.read_text())
        )
        supervisor.stop_requests = 2
        began = time.monotonic()
    assert time.monotonic() - began < 30


def test_a_long_log_is_put_aside_at_the_start(tmp_path: Path, said: list[str]) -> None:
    part = python("web", "print('new')", tmp_path)
    part.log.write_bytes(b"." * (MAX_LOG_BYTES + 1))
    with Supervisor(said.append) as supervisor:
        supervisor.finish(part)
    assert part.log.read_text() == "new\n"
    assert (tmp_path / "web.log.1").stat().st_size == MAX_LOG_BYTES + 1


def test_a_killed_database_is_back_with_its_data(tmp_path: Path, said: list[str]) -> None:
    cluster = Cluster.in_folder(tmp_path / "postgres")
    cluster.create()
    where = cluster.url.replace("postgresql+psycopg:", "postgresql:")
    with Supervisor(said.append) as supervisor:
        supervisor.start(cluster.part(tmp_path / "database.log"))
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
        killed = process_of(supervisor, "database")
        os.kill(killed, signal.SIGKILL)
        step_until(supervisor, lambda: process_of(supervisor, "database") not in {0, killed} and cluster.ready())
        with psycopg.connect(where) as connection:
            assert connection.execute("SELECT one FROM kept").fetchone() == (1,)
    assert not cluster.ready()


def test_a_part_that_cannot_even_be_started_is_tried_again(tmp_path: Path, said: list[str]) -> None:
    charge = SupervisedPart(Part("lost", ("/bin/true",), tmp_path / "no" / "such" / "folder"))
    charge.step(said.append)
    assert charge.run is None
    assert charge.exit_count == 1
    assert said[0].startswith("lost could not be started: ")


@pytest.mark.parametrize(("status", "words"), [(0, "status 0"), (-9, "by SIGKILL"), (-99, "status -99")])
def test_an_exit_status_is_put_into_words(status: int, words: str) -> None:
    assert supervisor_module.describe_status(status) == words
