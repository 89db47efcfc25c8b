"""Backups: the whole database as one file, sealed on wish, and the way back from it."""


class BackupError(Exception):
    """Says why nothing was backed up or brought back, in a sentence for whoever ran the command."""
