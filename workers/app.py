"""The Celery app: `celery -A workers.app worker`, `celery -A workers.app beat`."""

from __future__ import annotations

import logging
import os
import sys

from pbem.broker import bind
from pbem.config import ConfigError, from_environment
from workers.service import serve

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")

try:
    config = from_environment(os.environ)
except ConfigError as wrong:
    sys.exit(str(wrong))

app = bind(config)
app.conf.beat_schedule = {
    "sweep": {"task": "sweep", "schedule": 5.0, "options": {"expires": 5}},
    "beat pulse": {"task": "pulse", "schedule": 15.0, "options": {"expires": 15}},
}
serve(app, config)
