"""The ways by which mail comes in; all end in `emails.inbound.accept`."""
