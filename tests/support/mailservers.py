"""Real mail servers of the distribution, each run from a folder of its own on ports of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.left_out import left_out
from tests.support.live_service import free_port, until
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SYSTEM = "/usr/sbin:/usr/bin:/sbin:/bin"
_APT = ("apt-get", "-y", "-q", "--no-install-recommends", "install")


def needed(package: str, program: str) -> str:
    """Return the path of a program, installed from the distribution where that can be; else the test is skipped."""
    found = shutil.which(program, path=SYSTEM)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "-q", "update"], env=quiet, check=False, capture_output=True)  # noqa: S607
        subprocess.run([*_APT, package], env=quiet, check=False, capture_output=True)
        found = shutil.which(program, path=SYSTEM)
    if found is None:
        left_out(program, f"apt install {package}")
    if os.geteuid() != 0:
        left_out(program, "only root starts it")
    return found


def python_for_all(folder: Path) -> str:
    """Return a command for this Python with its packages that users other than root can start; `folder` is for all."""
    home, packages = Path(sys.base_prefix), [str(ROOT), str(ROOT / "tests" / "packages"), sysconfig.get_path("purelib")]
    command = folder / "python"
    try:
        subprocess.run([sys.executable, "-c", ""], user="nobody", check=True)
        start = f"exec {sys.executable}"
    except PermissionError:
        # It lives in a folder that is root's alone.
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        shutil.copytree(home / "lib", folder / "home" / "lib", symlinks=True, ignore=_not_needed, copy_function=_linked)
        shutil.copytree(home / "bin", folder / "home" / "bin", symlinks=True, copy_function=_linked)
        home = folder / "home"
        start = f"LD_LIBRARY_PATH={home / 'lib'} exec {home / 'bin' / version}"
    command.write_text(f'#!/bin/sh\nexport PYTHONPATH={os.pathsep.join(packages)}\n{start} "$@"\n')
    command.chmod(0o755)
    return str(command)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _not_needed(_folder: str, names: list[str]) -> set[str]:
    return {"site-packages", "test", "__pycache__", "idlelib", "tkinter"} & set(names)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def open_folder() -> Iterator[Path]:
    """Create a folder that servers running as other users can walk into, as a test's own cannot be."""
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


# -- Postfix ------------------------------------------------------------------------------------------------------

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.localhost
mydestination =
mynetworks = 127.0.0.1/32
alias_maps =
local_transport = error:nobody lives here
smtp_dns_support_level = disabled
virtual_mailbox_domains = example.org
virtual_mailbox_base = {folder}/boxes
virtual_mailbox_maps = texthash:{folder}/etc/boxes
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
minimal_backoff_time = 2s
queue_run_delay = 2s
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True, slots=True)
class Postfix:
    """A mail server: its port, and the folder with its log and with a Maildir for each person at example.org."""

    port: int
    folder: Path

    @property
    def boxes(self) -> Path:
        return self.folder / "boxes"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()


@contextmanager
def postfix(main: str, people: Sequence[str], master: str = "", port: int = 0) -> Iterator[Postfix]:
    """Run a mail server for some people for as long as a `with` block lasts; `main` and `master` go to its settings."""
    program = needed("postfix", "postfix")
    user, port = pwd.getpwnam("nobody"), port or free_port()
    with open_folder() as folder:
        for name, owner in (("etc", 0), ("queue", 0), ("data", pwd.getpwnam("postfix").pw_uid), ("boxes", user.pw_uid)):
            (folder / name).mkdir()
            os.chown(folder / name, owner, 0)
        files = {
            "main.cf": MAIN.format(folder=folder, uid=user.pw_uid, gid=user.pw_gid) + main,
            "master.cf": MASTER.format(port=port) + master,
            "boxes": "".join(f"{name.lower()}@example.org {name.lower()}/\n" for name in people),
        }
        for name, text in files.items():
            (folder / "etc" / name).write_text(text)
        command = (program, "-c", str(folder / "etc"))
        with (folder / "start").open("wb") as said:
            process = subprocess.Popen([*command, "start-fg"], stdout=said, stderr=said, env={"PATH": SYSTEM})
        found = Postfix(port, folder)
        try:
            until(lambda: listens(port) or process.poll() is not None)
            assert process.poll() is None, (folder / "start").read_text()
            yield found
        finally:
            subprocess.run([*command, "stop"], check=False, capture_output=True, env={"PATH": SYSTEM})
            process.wait(20)
