"""Prices in words, and what the owner has accepted by pressing a button beside one. Knows no Qt.

A price is a word of the registry: "" or "unknown", "free", or a decimal with its code such as "0.02 USD".
"""

from lisa_island.core.text import clean, url_parts
from lisa_island.core.words import say

PRICE_LIMIT = 40


def word(lang: str, price: str) -> str:
    """free, 0.02 USD, or price unknown."""
    match price:
        case "" | "unknown":
            return say(lang, "price.unknown")
        case "free":
            return say(lang, "price.free")
        case _:
            return clean(price, PRICE_LIMIT)


def is_paid(price: str) -> bool:
    """Whether a sum of money is named."""
    return price not in ("", "unknown", "free")


def accepted(price: str) -> str:
    """What an intent may carry as accepted, once this price stood beside the button that was pressed."""
    return "" if price in ("", "unknown") else price


def line(lang: str, price: str) -> str:
    """The sentence above a button that may be charged."""
    if is_paid(price):
        return say(lang, "answer.price.paid", price=word(lang, price))
    return say(lang, "answer.price.free" if price == "free" else "answer.price.unknown")


def host(base_url: str) -> str:
    """The host of an address as a person reads it, with its port when it has one."""
    _, name, rest = url_parts(base_url)
    port = rest.partition("/")[0] if rest.startswith(":") else ""
    return name + port if name else clean(base_url, 80)
