"""Composition: builds the parts, connects them, owns the ordered shutdown. Knows no business rule."""
