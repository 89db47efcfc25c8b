"""What is said when the service cannot start."""


class StartError(Exception):
    """Say in one plain sentence why the service does not start, and with which exit status it ends.

    Status 2 means that something about the call or the machine must change; status 1 that a part broke.
    """

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.status = status
