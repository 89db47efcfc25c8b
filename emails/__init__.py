"""Mail transport: receiving, parsing, composing and sending mails."""
