"""How fast the service and the rules are, beside peers measured in the same run."""
