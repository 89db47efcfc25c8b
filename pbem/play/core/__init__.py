"""What every use case stands on: its context, tokens, rate limits and retry delays."""
