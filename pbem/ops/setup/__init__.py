"""`pbem setup`: makes the settings of a service from a few questions, lists the DNS records, and runs a first trial."""
