"""`pbem setup`: from a few questions to the settings of a service, the records to publish, and a first trial."""
