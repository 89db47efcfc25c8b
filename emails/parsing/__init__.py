"""Parsing: from the bytes of a mail to the lines that a person typed."""
