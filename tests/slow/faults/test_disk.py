"""A real disk that runs full: what is kept stays kept, nothing new is promised, and all goes on when there is room."""

from __future__ import annotations

import os
import smtplib
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING

from tests.faults.installation import Installation, installation
from tests.faults.runs import Play, until
from tests.support.left_out import left_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPERATOR = "operator@example.net"
SENTENCE = "The service cannot accept anything new right now."


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a disk of half a gigabyte at a new folder, and return the folder."""
    folder.mkdir()
    command = ("/bin/mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs", str(folder))
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        left_out("a full disk", "as root, where disks can be mounted")
    try:
        yield folder
    finally:
        subprocess.run(("/bin/umount", "--lazy", str(folder)), check=True)


def fill(disk: Path, but: int) -> Path:
    """Write a file that leaves only so many bytes."""
    file = disk / "filling"
    with file.open("wb", buffering=0) as out, suppress(OSError):
        # Others write too: at the very end there is no telling how much fits.
        while (left := os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize) > but:
            out.write(bytes(min(left - but, 1_000_000)))
    return file


def offered(here: Installation) -> int:
    """Offer a mail that anybody may send, and give what is answered."""
    try:
        with smtplib.SMTP("127.0.0.1", here.running.smtp_port, local_hostname="localhost", timeout=10) as smtp:
            smtp.ehlo()
            smtp.mail("somebody@example.org")
            return smtp.rcpt("postmaster@games.localhost")[0]
    except (OSError, smtplib.SMTPException):
        return 0


def subjects(here: Installation) -> list[str]:
    return [str(mail["Subject"]) for mail in here.mails.of(OPERATOR)]


def test_nothing_new_is_taken_below_the_floor(short_path: Path) -> None:
    floor = {"PBEM_MIN_FREE_DISK": "5% 20MB", "PBEM_OPERATOR_EMAIL": OPERATOR}
    with small_disk(short_path / "disk") as disk, installation(disk / "data", workers=1, **floor) as here:
        play = Play(here, Random(1))
        play.sit_down()
        play.play(1)
        file = fill(disk, 15_000_000)
        until(lambda: offered(here) == 452, "for mail to be told to come later")
        until(lambda: here.running.ask("/readyz")[0] == 503, "for the pages to know")
        until(lambda: "A disk is full" in subjects(here), "for the operator to be told")
        status, said = here.running.ask("/api/matches", {"game": "minimax", "options": {}, "seats": []})
        assert status == 503
        assert said["reason"].startswith(SENTENCE)
        match = play.tables[0].id
        assert SENTENCE in here.running.read(f"/matches/{match}")
        assert "pbem_disk_full" in here.running.read("/metrics")
        file.unlink()
        began = time.monotonic()
        until(lambda: offered(here) == 250, "for mail to be taken")
        until(lambda: here.running.ask("/readyz")[0] == 200, "for moves to be taken")
        until(lambda: "The disk has free space again" in subjects(here), "for the operator to be told")
        print(f"all went on {time.monotonic() - began:.1f} s after there was room")  # noqa: T201 -- a figure
        play.play(1)
        until(play.done, "after there is room")
        assert play.wrong() == []
        assert subjects(here) == ["A disk is full", "The disk has free space again"]


def test_a_database_without_any_room_loses_nothing(short_path: Path) -> None:
    with (
        small_disk(short_path / "disk") as disk,
        installation(disk / "data", workers=1, PBEM_MIN_FREE_DISK="off") as here,
    ):
        play = Play(here, Random(2))
        play.sit_down()
        play.play(1)
        file = fill(disk, 0)
        # Whoever plays tries again until they are heard.
        playing = threading.Thread(target=play.play, args=(4,))
        playing.start()
        time.sleep(15)
        file.unlink()
        began = time.monotonic()
        playing.join()
        until(play.done, "after there is room")
        print(f"all was done {time.monotonic() - began:.1f} s after there was room")  # noqa: T201 -- a figure
        assert play.wrong() == []


def test_it_starts_without_room_to_be_read(short_path: Path) -> None:
    with installation(short_path / "data", workers=1, PBEM_MIN_FREE_DISK="200%") as here:
        assert "no moves are accepted until there is more space" in (short_path / "data.log").read_text()
        until(lambda: offered(here) == 452, "for mail to be told to come later")
        until(lambda: here.running.ask("/readyz")[0] == 503, "for the pages to know")
        assert SENTENCE in here.running.read("/")
