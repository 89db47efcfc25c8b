"""Exit status of backup commands, and the sentence that explains a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from sqlalchemy.exc import SQLAlchemyError

from pbem.ops.backup import BackupError
from pbem.ops.up.errors import StartError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DONE, FAILED = 0, 1


def run_to_status(work: Callable[[], object], place: Path) -> int:
    """Run a command's work on files in a place and a database; returns the exit status."""
    try:
        work()
    except BlockingIOError:
        return fail(f"{place}: another backup is being written there.")
    except (BackupError, StartError) as wrong:
        return fail(str(wrong))
    except OSError as wrong:
        return fail(f"{wrong.filename or place}: {wrong.strerror or wrong}.")
    except SQLAlchemyError as wrong:
        return fail(f"The database cannot be used: {getattr(wrong, 'orig', wrong)}")
    return DONE


def fail(why: str) -> int:
    """Print why nothing was done; returns the exit status."""
    click.echo(why.strip(), err=True)
    return FAILED
