"""The loopback gateway: a stand-in for TakoAPI that needs no key, no network and no money.

It shares no wire code with the client, so that the two prove each other.
"""
