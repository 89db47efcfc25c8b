"""Errors of starting the service."""


class StartError(Exception):
    """The service cannot start: the message says why in one sentence, `status` is the exit status.

    Status 2 means that the call or the machine must change; status 1 that a part broke.
    """

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status
