"""Whom a name means, in the order of the contract, and never by a guess."""

from lisa_island.core.naming import Named, Several, among, find

OWN = {
    "box": ("https://box.example/card", "https://box.example/rpc"),
    "Build": ("http://127.0.0.1:9999",),
    "build": ("http://127.0.0.1:9998",),
    "acme": ("https://own.example",),
}
SLUGS = ("acme", "initech")


def test_an_address_comes_first_and_means_one_that_was_added():
    assert find("https://box.example/rpc/", OWN, SLUGS) == Named("a2a", "box")
    assert find("https://box.example/other", OWN, SLUGS) is None


def test_the_owners_own_name_comes_before_a_slug():
    assert find("acme", OWN, SLUGS) == Named("a2a", "acme")
    assert find("initech", OWN, SLUGS) == Named("takoapi", "initech")


def test_case_is_forgiven_where_one_agent_is_left():
    assert find("BOX", OWN, SLUGS) == Named("a2a", "box")
    assert find("build", OWN, SLUGS) == Named("a2a", "build")
    assert find("BUILD", OWN, SLUGS) == Several(("Build", "build"))


def test_one_address_of_two_agents_is_ambiguous():
    twins = {"a": ("https://x.example",), "b": ("https://x.example/",)}
    assert find("https://x.example", twins, ()) == Several(("a", "b"))


def test_what_was_discovered_matches_whole_names_alone():
    found = [("takoapi", "acme-research", "ACME Research"), ("takoapi", "acme-labs", "ACME Labs")]
    assert among("acme research", found) == Named("takoapi", "acme-research")
    assert among("acme", found) is None
    assert among("ACME-LABS", found) == Named("takoapi", "acme-labs")


def test_two_discovered_of_one_name_are_both_named():
    found = [("takoapi", "one", "Painter"), ("a2a", "two", "painter"), ("takoapi", "one", "Painter")]
    assert among("Painter", found) == Several(("one", "two"))
