"""Settings, keys and backups that documented commands write are in no image and in no commit."""

from __future__ import annotations

import pytest

from tests.support.deploy.build_context import ignored, parsed


@pytest.mark.parametrize(
    ("pattern", "path", "out"),
    [
        ("*", "a", True),
        ("*", "a/b", True),
        ("*\n!a", "a/b/c", False),
        ("*\n!a\n**/x", "a/b/x", True),
        ("*\n!a\n**/x", "a/x/c", True),
        ("b", "a/b", False),
        ("a/*", "a/b/c", True),
        ("/a/", "a/b", True),
        ("a?c", "a/c", False),
        ("# a\na", "a", True),
        ("*.en[uv]", "x.env", True),
        ("*.env", "a/x.env", False),
        ("**/*.env", "x.env", True),
        ("a/**", "a/b/c", True),
        ("a.b", "axb", False),
    ],
)
def test_patterns_mean_what_docker_says(pattern: str, path: str, out: bool) -> None:  # noqa: FBT001 (a column)
    assert ignored(path, parsed(pattern)) is out
