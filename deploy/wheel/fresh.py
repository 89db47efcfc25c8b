"""setuptools as it is, but for what an earlier build has left: what is gone is in no wheel that is built later."""

import shutil
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 -- a build backend is a module with their names


def build_wheel(*wanted: Any, **named: Any) -> str:
    """Build a wheel of what is there now; setuptools by itself adds all that lies in `build/lib`."""
    shutil.rmtree("build/lib", ignore_errors=True)
    return build_meta.build_wheel(*wanted, **named)
