"""Operators' tools: every act is recorded in an audit log that nobody can change."""
