"""The way from an empty server: its commands are those that there are, its files are taken by those who read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from pbem.cli import main
from tests.outside import ROOT

UNITS = sorted((ROOT / "deploy" / "systemd").rglob("pbem*"))
PAGE = (ROOT / "docs" / "deploy.md").read_text()


def commands(text: str) -> list[str]:
    """Find the commands of ours that stand on lines of their own, or start a service."""
    lines = (line.strip() for line in text.splitlines() if line.startswith(("    ", "ExecStart=")))
    return [line for line in lines if "/bin/pbem " in line]


@pytest.mark.parametrize("line", [*commands(PAGE), *(line for unit in UNITS for line in commands(unit.read_text()))])
def test_each_command_is_one_that_there_is(line: str) -> None:
    words = line.partition("/bin/pbem ")[2].split()
    context = click.Context(main)
    at = 0
    while words[at].startswith("-"):
        assert words[at] in {option for each in main.params for option in each.opts}, line
        at += 2
    found = main.get_command(context, words[at])
    assert found is not None, line
    known = {option for each in found.params for option in (*each.opts, *each.secondary_opts)}
    assert {word for word in words[at + 1 :] if word.startswith("--")} <= known, line


def test_some_commands_are_looked_at() -> None:
    assert len(commands(PAGE)) >= 3
    assert len(UNITS) >= 3


def test_each_file_that_is_named_is_there() -> None:
    for name in re.findall(r"(deploy/[\w./-]+\w)", PAGE):
        assert list(ROOT.glob(f"{name}*")), name
    for target in re.findall(r"\]\(([\w.-]+\.md)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_each_step_is_taken_where_its_files_are() -> None:
    """Read from above, `cd` by `cd`, each path into the repository is one from its root."""
    here, looked_at = "", 0
    for block in re.findall(r"(?:^    .*\n)+", PAGE.partition("## In containers")[0], re.MULTILINE):
        for line in block.splitlines():
            words = line.split()
            here = words[1] if words[0] == "cd" else here
            if any(word.startswith("deploy/") for word in words):
                assert here == "/opt/pbem/source", line
                looked_at += 1
    assert looked_at >= 3


def test_each_mail_service_has_its_recipe() -> None:
    there = set(
        re.findall(r'^@pages\.post\("/(\w+)"\)', (ROOT / "pbem" / "web" / "incoming.py").read_text(), re.MULTILINE)
    )
    table = PAGE.partition("### A mail service that calls you")[2].partition("###")[0]
    assert set(re.findall(r"`/incoming/(\w+)", table)) == there - {"raw"}


@pytest.mark.parametrize("folder", sorted({unit.parent for unit in UNITS}), ids=lambda folder: folder.name)
def test_systemd_takes_the_units(folder: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("NOT CHECKED: there is no systemd-analyze here")
    units = [unit for unit in UNITS if unit.parent == folder]
    for unit in units:
        # The program stands elsewhere here, and so does the account that is made for it.
        text = re.sub(r"/opt/pbem/bin/\w+", sys.executable, unit.read_text()).replace("=pbem\n", "=root\n")
        (tmp_path / unit.name).write_text(text)
    copies = [str(tmp_path / unit.name) for unit in units]
    told = subprocess.run([program, "verify", "--man=no", *copies], capture_output=True, text=True, check=False)
    complaints = [line for line in told.stderr.splitlines() if str(tmp_path) in line or "pbem" in line]
    assert complaints == []


# -- parts and containers -----------------------------------------------------------------------------------------

CONTAINER = ROOT / "deploy" / "container"


def procfile() -> dict[str, str]:
    """Give the commands of the parts, with what the environment may change as it is unless told."""
    lines = (line.partition(": ") for line in (ROOT / "Procfile").read_text().splitlines())
    usual = {"${PORT:-8000}": "8000", "${WEB_CONCURRENCY:-2}": "2"}
    found = {}
    for name, _, command in lines:
        for variable, value in usual.items():
            command = command.replace(variable, value)  # noqa: PLW2901 (put together piece by piece)
        found[name] = command
    return found


def test_the_containers_run_what_the_procfile_says() -> None:
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    services = said["services"]
    assert {name: services[name]["command"] for name in procfile()} == procfile()
    assert set(services) == {"database", "broker", *procfile()}
    for name, service in services.items():
        assert set(service["networks"]) <= set(said["networks"]), name
        assert set(service.get("depends_on", ())) <= set(services), name
    # The database believes whoever asks it, so nobody else may be where it is.
    assert services["database"]["networks"] == services["broker"]["networks"] == ["inside"]
    assert said["networks"]["inside"] == {"internal": True}
    assert all(port.startswith("127.0.0.1:") for each in services.values() for port in each.get("ports", ()))
    assert (CONTAINER / services["web"]["build"]["context"] / services["web"]["build"]["dockerfile"]).is_file()


def test_the_units_run_what_the_procfile_says() -> None:
    for name, command in procfile().items():
        unit = (ROOT / "deploy" / "systemd" / "parts" / f"pbem-{name}.service").read_text()
        assert f"\nExecStart=/opt/pbem/bin/{command.replace('0.0.0.0', '127.0.0.1')}\n" in unit


@pytest.mark.slow
def test_the_steps_of_the_image_make_a_program_that_runs(tmp_path: Path) -> None:
    """What the image is made by, done in a folder of this machine, with this machine's Python."""
    for line in (CONTAINER / "Containerfile").read_text().splitlines():
        step, _, rest = line.partition(" ")
        words = rest.replace("/opt/pbem", str(tmp_path)).replace("python -m venv", f"{sys.executable} -m venv")
        if step == "COPY":
            archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
            source = Path(words.split()[1])
            source.mkdir()
            subprocess.run(["tar", "x", "-C", str(source)], input=archive.stdout, check=True)  # noqa: S607
        elif step == "RUN" and not words.startswith("useradd"):
            subprocess.run(["/bin/sh", "-c", words], check=True, cwd=tmp_path)
    bare = {"PATH": f"{tmp_path}/venv/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    for command, said in (
        ("pbem doctor", "DATABASE_URL is not set"),
        ("python -m pbem.db.upgrade", "DATABASE_URL is not set"),
        ("python -m workers.mail", "DATABASE_URL is not set"),
        ("python -m workers.beat none", "DATABASE_URL is not set"),
    ):
        told = subprocess.run(command.split(), env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert said in told.stderr, (command, told.stdout, told.stderr)
    # Backups are made in a container, too.
    clients = "from pbem.up.binaries import postgres_clients; print(postgres_clients(18))"
    asked = ["python", "-c", clients]
    found = subprocess.run(asked, env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
