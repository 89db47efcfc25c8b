"""`pbem admin`: finds things and acts on them from the shell, for operators."""
