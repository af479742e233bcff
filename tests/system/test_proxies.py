"""Which proxy the environment names for an address, and what of it may be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.system.proxies import is_supported, proxy_for, shown

GATE = "https://takoapi.com"
PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ""),
        ({"HTTPS_PROXY": PROXY}, PROXY),
        ({"https_proxy": PROXY, "HTTPS_PROXY": "http://other"}, PROXY),
        ({"https_proxy": "", "HTTPS_PROXY": PROXY}, ""),
        ({"ALL_PROXY": PROXY}, PROXY),
        ({"HTTPS_PROXY": PROXY, "ALL_PROXY": "http://other"}, PROXY),
        ({"HTTP_PROXY": PROXY, "http_proxy": PROXY}, ""),
        ({"HTTPS_PROXY": "proxy.example:3128"}, PROXY),
        ({"HTTPS_PROXY": f" {PROXY} "}, PROXY),
    ],
)
def test_the_variable_that_counts(environ, expected):
    assert proxy_for(GATE, environ) == expected


@pytest.mark.parametrize(
    "origin",
    [
        "http://127.0.0.1:8000",
        "https://127.0.0.2",
        "https://localhost:1",
        "https://a.localhost",
        "https://[::1]",
    ],
)
def test_this_machine_is_never_reached_by_a_proxy(origin):
    assert proxy_for(origin, {"HTTPS_PROXY": PROXY, "HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}) == ""


@pytest.mark.parametrize(
    ("origin", "exceptions", "direct"),
    [
        (GATE, "takoapi.com", True),
        (GATE, ".takoapi.com", True),
        (GATE, "*.takoapi.com", True),
        (GATE, "TAKOAPI.COM.", True),
        (GATE, "com", True),
        (GATE, "*", True),
        (GATE, "a, takoapi.com", True),
        (GATE, "a takoapi.com:443", True),
        (GATE, "takoapi.com:8443", False),
        ("https://takoapi.com:8443", "takoapi.com:8443", True),
        ("https://x.takoapi.com", "takoapi.com", True),
        ("https://eviltakoapi.com", "takoapi.com", False),
        (GATE, "akoapi.com", False),
        (GATE, "", False),
        (GATE, ".", False),
        (GATE, ":443", False),
        ("https://10.1.2.3", "10.0.0.0/8", True),
        ("https://10.1.2.3", "10.1.2.3", True),
        ("https://10.1.2.3", "10.1.2.3:443", True),
        ("https://10.1.2.3", "11.0.0.0/8", False),
        ("https://10.1.2.3", "2.3", False),
        ("https://[2001:db8::1]", "2001:db8::/32", True),
        ("https://[2001:db8::1]", "[2001:db8::1]", True),
        ("https://[2001:db8::1]", "10.0.0.0/8", False),
    ],
)
def test_exceptions(origin, exceptions, direct):
    assert (proxy_for(origin, {"HTTPS_PROXY": PROXY, "NO_PROXY": exceptions}) == "") == direct


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_exception_list_and_no_proxy_makes_it_fail(proxy, exceptions):
    named = proxy_for(GATE, {"HTTPS_PROXY": proxy, "NO_PROXY": exceptions})
    is_supported(named)
    assert "\n" not in shown(named)


@pytest.mark.parametrize(
    ("proxy", "expected"),
    [
        ("http://ada:secret@proxy.example:3128/secret?secret#secret", PROXY),
        ("https://ada@[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ("http://proxy.example:secret", "http://proxy.example"),
        ("http://[", "?"),
        ("secret", "?"),
    ],
)
def test_what_is_shown_holds_no_credentials(proxy, expected):
    assert shown(proxy) == expected


@pytest.mark.parametrize(
    "proxy", ["socks5://h:1", "http://", "http://h:0", "http://h:x", "http://[", "ftp://h"]
)
def test_what_cannot_be_used_is_known(proxy):
    assert not is_supported(proxy) and is_supported(PROXY)
