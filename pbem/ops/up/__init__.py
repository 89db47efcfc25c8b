"""`pbem up`: runs the whole service on one machine: database, broker, web, worker and mail."""
