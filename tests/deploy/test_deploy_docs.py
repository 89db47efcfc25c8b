"""The way from an empty server: its files are there, and are taken by those who read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from ipaddress import ip_network
from pathlib import Path

import pytest
import yaml

from pbem.config import from_environment
from tests.deploy.build_context import context
from tests.outside import ROOT

UNITS = sorted((ROOT / "deploy" / "systemd").rglob("pbem*"))
PAGE = (ROOT / "docs" / "deploy.md").read_text()


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

NEEDED = {"DATABASE_URL": "postgresql://x/x", "REDIS_URL": "redis://x", "PBEM_SECRET_KEYS": "x" * 32} | {
    "PBEM_BASE_URL": "https://games.example.org",
    "PBEM_MAIL_DOMAIN": "games.example.org",
    "PBEM_SMTP_URL": "smtp://x",
}
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


def test_whoever_comes_by_a_port_of_the_machine_is_asked_for_whom() -> None:
    """What a published port hands on comes from the first address of the network that compose makes."""
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    (network,) = (ip_network(each["subnet"]) for each in said["networks"]["outside"]["ipam"]["config"])
    assert network.is_private
    for name in procfile():
        config = from_environment(NEEDED | said["services"][name]["environment"])
        assert config.trusts(str(network[1])), name
        assert not config.trusts("192.0.2.1"), name


def test_the_oldest_compose_that_is_named_reads_the_file() -> None:
    """`name` at the top is refused by Docker Compose 1.29, which Debian 12 has."""
    said = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    assert {key for key in said if not key.startswith("x-")} == {"services", "volumes", "networks"}
    # Without it the volume would be called after the folder.
    assert said["volumes"] == {"database": {"name": "pbem_database"}}


def test_each_folder_that_a_container_writes_to_is_made_by_whoever_runs_it() -> None:
    """Docker makes one that is missing, for root, and the user of the command may not write there."""
    steps = PAGE.partition("## In containers")[2]
    made, _, later = steps.partition("printf ")
    assert set(re.findall(r"\$PWD/(\w+):", later)) == set(re.findall(r"mkdir -p (\w+)", made))


def test_the_web_server_shows_figures_to_nobody_else() -> None:
    shipped = (ROOT / "deploy" / "caddy" / "Caddyfile").read_text()
    (matcher,) = re.findall(r"@figures \{\s+path (\S+)\s+not remote_ip (.+)\n", shipped)
    assert matcher == ("/metrics", "127.0.0.1 ::1")
    assert re.search(r"^\trespond @figures 404$", shipped, re.MULTILINE)
    shown = (ROOT / "docs" / "watching.md").read_text()
    assert "location = /metrics {" in shown
    assert "deploy/caddy/Caddyfile" in shown


def test_caddy_itself_reads_its_file() -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("NOT CHECKED: there is no caddy here")
    file = ROOT / "deploy" / "caddy" / "Caddyfile"
    told = subprocess.run([program, "adapt", "--config", str(file)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


def test_the_units_run_what_the_procfile_says() -> None:
    for name, command in procfile().items():
        unit = (ROOT / "deploy" / "systemd" / "parts" / f"pbem-{name}.service").read_text()
        assert f"\nExecStart=/opt/pbem/bin/{command.replace('0.0.0.0', '127.0.0.1')}\n" in unit


def unit(name: str) -> list[str]:
    return (ROOT / "deploy" / "systemd" / "parts" / f"pbem-{name}.service").read_text().splitlines()


@pytest.mark.parametrize("name", procfile())
def test_a_part_is_started_again_but_not_where_a_setting_is_wrong(name: str) -> None:
    assert "RestartPreventExitStatus=2" in unit(name)
    assert ("Restart=on-failure" if name == "release" else "Restart=always") in unit(name)


@pytest.mark.parametrize("name", [name for name in procfile() if name != "release"])
def test_a_release_comes_first_and_ends_no_part(name: str) -> None:
    lines = [line.partition("=") for line in unit(name)]
    named = {key for key, _, value in lines if "pbem-release.service" in value.split()}
    assert named == {"Wants", "After"}


@pytest.mark.slow
def test_the_steps_of_the_image_make_a_program_that_runs(tmp_path: Path) -> None:
    """What the image is made by, done in a folder of this machine, with this machine's Python."""
    for line in (CONTAINER / "Containerfile").read_text().splitlines():
        step, _, rest = line.partition(" ")
        words = rest.replace("/opt/pbem", str(tmp_path)).replace("python -m venv", f"{sys.executable} -m venv")
        if step == "COPY":
            for name in context(ROOT):
                target = Path(words.split()[1]) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target)
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
