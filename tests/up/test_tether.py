import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.up import tether
from pbem.up.part import Part

SLEEPER = (sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)")
OWNER = """
import sys, time
from pathlib import Path
from pbem.up.part import Part
run = Part("sleeper", tuple(sys.argv[3:]), Path(sys.argv[2]), bond=sys.argv[1]).start()
print(run.process.pid, flush=True)
time.sleep(60)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a bond of Linux")
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes accounts")
BONDS = (pytest.param(tether.SIGNAL, marks=LINUX), tether.WATCH)


def heard(log: Path, word: str) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if log.exists() and word in log.read_text():
            return True
        time.sleep(0.02)
    return False


def group_is_gone(group: int) -> bool:
    """Wait until nothing of the group lives: what is dead but not buried yet (Z) counts as gone."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        lines = subprocess.run(
            ("/bin/ps", "-A", "-o", "pgid=,stat="), capture_output=True, text=True, check=True
        ).stdout
        if not any(line.split()[0] == str(group) and "Z" not in line for line in lines.splitlines()):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("bond", BONDS)
def test_a_part_dies_with_its_killed_owner(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "sleeper.log"
    command = (sys.executable, "-c", OWNER, bond, str(log), *SLEEPER)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        sleeper = int(owner.stdout.readline())
        assert heard(log, "here")
        owner.kill()
    assert group_is_gone(sleeper)


@pytest.mark.parametrize("bond", BONDS)
def test_a_part_is_asked_to_stop_with_its_own_signal(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "polite.log"
    script = "import signal, sys; signal.signal(signal.SIGINT, lambda *_: sys.exit(7)); print('here', flush=True); "
    command = (sys.executable, "-c", f"{script} signal.pause()")
    run = Part("polite", command, log, stop_signal=signal.SIGINT, bond=bond).start()
    assert heard(log, "here")
    run.stop()
    assert run.ended() == 7


@pytest.mark.parametrize("bond", BONDS)
def test_what_does_not_stop_is_killed_after_its_grace(tmp_path: Path, bond: str) -> None:
    log = tmp_path / "stubborn.log"
    script = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here', flush=True)"
    run = Part("stubborn", (sys.executable, "-c", f"{script}; signal.pause()"), log, grace=0.2, bond=bond).start()
    assert heard(log, "here")
    run.stop()
    assert run.ended() == -signal.SIGKILL
    assert group_is_gone(run.process.pid)


def test_what_a_part_leaves_behind_is_killed_when_it_ends(tmp_path: Path) -> None:
    script = f"import subprocess; subprocess.Popen({SLEEPER!r}); import time; time.sleep(0.3)"
    run = Part("parent", (sys.executable, "-c", script), tmp_path / "log").start()
    assert heard(tmp_path / "log", "here")
    while run.ended() is None:
        time.sleep(0.02)
    assert group_is_gone(run.process.pid)


def test_the_exit_status_of_a_watched_program_is_passed_on() -> None:
    watched = (*tether.prefix(bond=tether.WATCH), sys.executable, "-c")
    assert subprocess.run((*watched, "raise SystemExit(5)"), check=False).returncode == 5
    assert subprocess.run((*watched, "import os; os.kill(os.getpid(), 9)"), check=False).returncode == 128 + 9


def test_a_program_that_is_not_there_is_named() -> None:
    done = subprocess.run((*tether.prefix(), "/nowhere/postgres"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (tether.REFUSED, "/nowhere/postgres is not there\n")


def test_nothing_starts_when_the_parent_is_gone_already() -> None:
    python, *flags, _, account, bond = tether.prefix()
    command = (python, *flags, str(os.getpid() + 1), account, bond, "/bin/echo", "started")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (tether.REFUSED, "")


@LINUX
@ROOT
def test_in_a_namespace_root_looks_like_nobody_and_its_files_stay_its_own(tmp_path: Path) -> None:
    script = "import os, sys; open(sys.argv[1], 'w').close(); print(os.geteuid(), os.getegid())"
    file = tmp_path / "made"
    command = (*tether.prefix(tether.NAMESPACE), sys.executable, "-c", script, str(file))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "no user namespace" in done.stderr:
        pytest.skip("this machine refuses user namespaces")
    assert done.stdout.split() == ["65534", "65534"]
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (0, 0o600)


@ROOT
def test_nobody_has_to_reach_the_folder_by_its_path(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    command = (*tether.prefix(tether.NOBODY), "/bin/echo", "started")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (tether.REFUSED, "")
    assert done.stderr.startswith("cannot run as nobody: ")
