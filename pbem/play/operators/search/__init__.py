"""Finding: what operators look up, and why each thing stands as it does; nobody's secrets are among it."""
