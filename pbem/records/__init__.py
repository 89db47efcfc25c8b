"""Records: files that hold whole matches, to verify, replay, export and import."""
