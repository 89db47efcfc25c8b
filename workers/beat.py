"""The clock that names recurring tasks: `celery -A workers.beat beat`; it does nothing itself, and stays small."""

from __future__ import annotations

import os
import sys

from pbem.broker import celery_app
from pbem.config import ConfigError, from_environment

try:
    app = celery_app(from_environment(os.environ))
except ConfigError as wrong:
    sys.exit(str(wrong))
