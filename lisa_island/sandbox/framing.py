"""How a stream may be framed: legal ways that break weak parsers, and illegal ones that must be survived."""

from __future__ import annotations

from .steps import Agent

AGENTS: list[Agent] = []
