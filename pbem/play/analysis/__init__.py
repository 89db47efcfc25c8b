"""Analyses of finished matches by robots: asked for, made in chunks, and shown to those who may see the replay."""
