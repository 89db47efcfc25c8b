"""Backups: the whole database as one file, optionally encrypted, and its restore."""


class BackupError(Exception):
    """A backup or restore failed; the message says why in a sentence for the operator."""
