"""Content: the building blocks of a mail, as plain text, HTML and MIME."""
