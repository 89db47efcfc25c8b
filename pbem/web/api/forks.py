"""API of forks: practice matches from a step of a finished match."""

from __future__ import annotations

from typing import Any

from pbem.play.accounts import api_keys
from pbem.play.archive import replays
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import forks
from pbem.play.matches.match_state import load_match
from pbem.web.api import schemas
from pbem.web.api.auth import creator_fields
from pbem.web.api.matches import created_data, parse_guests
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse_with
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api forks", __name__, url_prefix="/api", description="Practice matches")


@api.post("/matches/<match_id>/fork")
@api.arguments(schemas.NewFork)
@api.response(201, schemas.Made)
@api.alt_response(
    404, schema=schemas.Problem, description="no such match, a private one without its key, or a closed table"
)
@api.doc(security=[{"key": [api_keys.START]}])
def fork(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Create a practice match from a step of a finished match; the caller may have several seats."""
    with transaction() as ctx:
        origin = lookup.open_match(ctx, match_id)
        try:
            guests = parse_guests(origin.game, wanted["seats"])
            step = wanted.get("step")
            if step is None:
                known = replays.step_number(load_match(ctx, origin), wanted["ply"]) if origin.seed else None
                step = -1 if known is None and wanted["ply"] else known or 0
            made = forks.create_match(
                ctx,
                forks.find_start(ctx, origin, step),
                guests,
                **creator_fields(ctx, guests),
                time_control=wanted["clock"],
                invitation_text=wanted["words"],
            )
        except Refused as refused:
            field = "step" if refused.field == "fork" else refused.field
            refuse_with(refused, 422, {"json": {field: [str(refused)]}})
        return created_data(made)
