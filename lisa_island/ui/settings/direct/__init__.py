"""Windows about agents at their own address: look at a card and add, an added agent, sign in, import.

Each is opened over its parent by `come()` and is gone once it is closed.
"""
