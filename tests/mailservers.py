"""Real mail servers of the distribution, each run from a folder of its own on ports of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.outside import free_port, until

if TYPE_CHECKING:
    from collections.abc import Iterator

SYSTEM = "/usr/sbin:/usr/bin:/sbin:/bin"
_APT = ("apt-get", "-y", "-q", "--no-install-recommends", "install")


def needed(package: str, program: str) -> str:
    """Give the path of a program, installed from the distribution where that can be; else the test is skipped."""
    found = shutil.which(program, path=SYSTEM)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "-q", "update"], env=quiet, check=False, capture_output=True)  # noqa: S607
        subprocess.run([*_APT, package], env=quiet, check=False, capture_output=True)
        found = shutil.which(program, path=SYSTEM)
    if found is None:
        pytest.skip(f"{program} is not there, and {package} could not be installed: this way is NOT tested here")
    if os.geteuid() != 0:
        pytest.skip(f"{program} is started by root alone: this way is NOT tested here")
    return found


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a new folder that servers running as other users can walk into, as a test's own cannot be."""
    with tempfile.TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


# -- Dovecot ------------------------------------------------------------------------------------------------------

DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_client_limit = 100
mail_location = maildir:{folder}/mail
first_valid_uid = 1
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
}}
service anvil {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Taken {{
    auto = create
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Imap:
    """An IMAP server with one mailbox."""

    port: int

    @property
    def url(self) -> str:
        return f"imap://ann:secret@127.0.0.1:{self.port}/INBOX"


@contextmanager
def dovecot() -> Iterator[Imap]:
    """Run an IMAP server for as long as a `with` block lasts."""
    program = needed("dovecot-imapd", "dovecot")
    port, user = free_port(), pwd.getpwnam("nobody")
    with open_folder() as folder:
        for name in ("home", "mail"):
            (folder / name).mkdir()
            os.chown(folder / name, user.pw_uid, user.pw_gid)
        file = folder / "dovecot.conf"
        file.write_text(DOVECOT.format(folder=folder, port=port, uid=user.pw_uid, gid=user.pw_gid))
        process = subprocess.Popen([program, "-F", "-c", str(file)], stderr=subprocess.DEVNULL)
        try:
            until(lambda: listens(port) or process.poll() is not None)
            assert process.poll() is None, (folder / "log").read_text()
            yield Imap(port)
        finally:
            process.terminate()
            process.wait(20)
