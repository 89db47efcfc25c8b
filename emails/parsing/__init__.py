"""Parsing: from the bytes of a mail to what its writer typed."""
