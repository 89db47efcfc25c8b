"""Base of all models: metadata, and the mapping of Python types to columns."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import DateTime, Dialect, LargeBinary, MetaData, SmallInteger, Text, TypeDecorator
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase

from pbem import states


class EnumText(TypeDecorator[StrEnum]):
    """A text column that holds the values of an enumeration."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:  # noqa: ARG002 -- SQLAlchemy's own
        """Return the stored text."""
        return None if value is None else str(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> StrEnum | None:  # noqa: ARG002 -- the same
        """Return the member of the enumeration."""
        return None if value is None else self.kind(value)


class Base(DeclarativeBase):
    """Declarative base, with names for all constraints so that migrations can refer to them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        bytes: LargeBinary,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[int]: ARRAY(SmallInteger),
        list[str]: ARRAY(Text),
        states.MatchState: EnumText(states.MatchState),
        states.DeadlinePhase: EnumText(states.DeadlinePhase),
        states.SubmissionStatus: EnumText(states.SubmissionStatus),
        states.ServiceMailStatus: EnumText(states.ServiceMailStatus),
        states.OutboxState: EnumText(states.OutboxState),
        states.DeliveryState: EnumText(states.DeliveryState),
        states.WebhookForm: EnumText(states.WebhookForm),
        states.EventKind: EnumText(states.EventKind),
        states.EventState: EnumText(states.EventState),
        states.EntrantState: EnumText(states.EntrantState),
        states.MatchRole: EnumText(states.MatchRole),
        states.ChallengeState: EnumText(states.ChallengeState),
        states.DealSetKind: EnumText(states.DealSetKind),
        states.Withheld: EnumText(states.Withheld),
    }
