"""The archive: records, replays, snapshots, comments and statistics of matches."""
