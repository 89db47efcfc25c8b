"""The content blocks of a mail, and their rendering as plain text, HTML and MIME."""
