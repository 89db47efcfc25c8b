"""The image for containers, made in a folder of this machine by the steps of its Containerfile."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

import yaml

from tests.support.deploy.build_context import context
from tests.support.deploy.deploy_docs import CONTAINER
from tests.support.deploy.stranger import index_variables
from tests.support.places import ROOT


@dataclass(frozen=True, slots=True)
class Image:
    """What the steps have made so far; `/opt/pbem` and `/var/lib/pbem` of the image are folders below `root`."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """Return the folder that commands run in."""
        return self.root / "var/lib/pbem"

    def run(self, command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the image to its end."""
        words, env = ["/bin/sh", "-c", self.here(command)], self.environment(**more)
        return subprocess.run(words, env=env, cwd=self.home, capture_output=True, text=True, check=False)

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables of a command of the image."""
        return {"HOME": str(self.home)} | self.variables | more

    def here(self, text: str) -> str:
        """Replace the folders of the image by those of this machine."""
        return re.sub(r"(?<![\w/])/(?=opt/pbem|var/lib/pbem)", f"{self.root}/", text)


def steps(text: str) -> list[tuple[str, str]]:
    """Parse a Containerfile: each instruction and what stands behind it."""
    lines = re.sub(r"\\\n", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    parted = (line.partition(" ") for line in lines if line.strip())
    return [(word, rest.strip()) for word, _, rest in parted]


def take(image: Image, word: str, rest: str) -> None:
    """Take one step; the account of the image is none of this machine's, and runs nothing here."""
    if word == "FROM":
        oldest = tuple(map(int, re.findall(r"\d+", rest)))
        assert oldest <= sys.version_info[: len(oldest)], rest
        image.home.mkdir(parents=True)
        (image.root / "bin").mkdir()
        (image.root / "bin" / "python").symlink_to(Path(sys.executable).resolve())
        image.variables["PATH"] = f"{image.root}/bin:/usr/bin:/bin"
    elif word == "COPY":
        source, target = rest.split()
        for name in context(ROOT / source):
            copy = Path(image.here(target)) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source / name, copy)
    elif word == "ENV":
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            image.variables[name] = image.here(Template(value).substitute(image.variables))
    elif word == "RUN" and not re.fullmatch(r"useradd [\w /-]+", rest):
        done = image.run(rest, **index_variables())
        assert done.returncode == 0, (rest, done.stdout, done.stderr)
    else:
        assert word in {"CMD", "RUN", "USER", "WORKDIR"}, word


def parts() -> dict[str, dict[str, Any]]:
    """Return the services of compose.yaml that run in the image, by their names."""
    services = yaml.safe_load((CONTAINER / "compose.yaml").read_text())["services"]
    return {name: service for name, service in services.items() if service["image"] == "pbem"}
