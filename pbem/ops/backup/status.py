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
        message = f"{place}: another backup is being written there."
    except (BackupError, StartError) as error:
        message = str(error)
    except OSError as error:
        message = f"{error.filename or place}: {error.strerror or error}."
    except SQLAlchemyError as error:
        message = f"The database cannot be used: {getattr(error, 'orig', error)}"
    else:
        return DONE
    click.echo(message.strip(), err=True)
    return FAILED
