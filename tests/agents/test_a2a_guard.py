# ruff: noqa: E501  (one case a line reads best)
"""Addresses that a stranger's card brings: none leads to this machine or its network."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _guard, _http
from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import Client
from lisa_island.agents._guard import (
    NOT_HTTPS,
    PRIVATE,
    guarded,
    guarded_by,
    is_local_name,
    is_public,
    literal,
)
from lisa_island.agents._http import CutError, Http, NotSentError, Patience
from tests.fakes.clock import FakeClock

PUBLIC = "93.184.216.34"
PATIENCE = Patience(5, 5, 5)

CLOSED = [
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "100.127.255.255", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "192.88.99.1",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001::1",
    "2001:db8::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "100::1",
    "5f00::1", "3fff::1", "", "localhost", "8.8.8.8 ", "1.2.3",
]  # fmt: skip
OPEN = [PUBLIC, "8.8.8.8", "1.1.1.1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2606:4700::1111", "2a00:1450::1"]


@pytest.mark.parametrize("address", CLOSED)
def test_it_is_not_of_the_open_internet(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", OPEN)
def test_it_is_of_the_open_internet(address):
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_ipv4_in_whatever_dress_is_judged_as_itself(address):
    raw = int(address)
    dressed = (
        f"::ffff:{address}",
        f"64:ff9b::{raw >> 16:x}:{raw & 0xFFFF:x}",
        f"2002:{raw >> 16:x}:{raw & 0xFFFF:x}::1",
    )
    assert {is_public(d) for d in dressed} == {is_public(str(address))}
    for spelling in (
        str(raw),
        hex(raw),
        f"0{raw >> 24:o}.{raw & 0xFFFFFF}",
        f"{address}.",
        f"[{dressed[0]}]",
    ):
        found = literal(spelling)
        assert found is not None and is_public(found) == is_public(str(address))


@pytest.mark.parametrize("host", ["a.example", "dead.beef", "0x.example", "x", "ab.cd", ""])
def test_a_name_is_no_address(host):
    assert literal(host) is None


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True), ("LOCALHOST.", True), ("a.localhost", True), ("printer", True), ("nas.local", True),
        ("x.internal", True), ("metadata.google.internal", True), ("x.home.arpa", True), ("a.example", False),
        ("localhost.example", False), ("mylocal.example", False),
    ],
)  # fmt: skip
def test_names_of_this_machine_and_its_network(host, local):
    assert is_local_name(host) is local


# --- requests ---


class Net:
    """The network behind the guard: who asked for what, and what a name resolves to."""

    def __init__(self, *addresses: str, fails: int = 0) -> None:
        self.addresses = addresses
        self.fails = fails
        self.asked: list[httpx.Request] = []
        self.resolved: list[tuple[str, int]] = []

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        self.resolved.append((host, port))
        if not self.addresses:
            raise OSError("no such name")
        return self.addresses

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if len(self.asked) <= self.fails:
            raise httpx.ConnectError("refused")
        return httpx.Response(200, json={})

    def http(self) -> Http:
        return Http(httpx.MockTransport(self.handle), wrap=guarded_by(self.resolve))


async def ask(net: Net, url: str) -> str:
    """What became of it: "ok", or the word that says why not."""
    try:
        async with net.http().open("POST", url, headers={"x": "y"}, patience=PATIENCE, body={"a": 1}):
            return "ok"
    except NotSentError as error:
        return error.word


async def test_it_connects_to_the_address_that_was_checked_under_the_name():
    net = Net(PUBLIC)
    assert await ask(net, "https://a.example/rpc?x=1") == "ok"
    (request,) = net.asked
    assert str(request.url) == f"https://{PUBLIC}/rpc?x=1"
    assert request.headers["host"] == "a.example" and request.extensions["sni_hostname"] == "a.example"
    assert request.content == b'{"a": 1}' and request.extensions["timeout"]["read"] == 5
    assert net.resolved == [("a.example", 443)]


async def test_a_port_and_an_address_of_ipv6():
    net = Net("2606:4700::1111")
    assert await ask(net, "https://a.example:8443/rpc") == "ok"
    assert str(net.asked[0].url) == "https://[2606:4700::1111]:8443/rpc"
    assert net.asked[0].headers["host"] == "a.example:8443" and net.resolved == [("a.example", 8443)]


@pytest.mark.parametrize(
    "private", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fe80::1%eth0"]
)
@pytest.mark.parametrize("place", [0, 1])
async def test_one_private_address_among_public_ones_stops_it(private, place):
    addresses = [PUBLIC, PUBLIC]
    addresses.insert(place, private)
    net = Net(*addresses)
    assert await ask(net, "https://a.example/") == PRIVATE and net.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/", "https://[::1]/", "https://0x7f000001/", "https://2130706433/", "https://127.1/",
        "https://localhost/", "https://localhost:8443/", "https://a.localhost/", "https://intranet/",
        "https://metadata.google.internal/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_proxied", [False, True])
async def test_what_the_address_itself_tells_stops_it_before_any_look_up(url, is_proxied):
    net = Net(PUBLIC)
    http = Http(
        httpx.MockTransport(net.handle), wrap=lambda inner, _: guarded(inner, is_proxied, net.resolve)
    )
    with pytest.raises(NotSentError) as stopped:
        async with http.open("GET", url, headers={}, patience=PATIENCE):
            pass
    assert stopped.value.word == PRIVATE and net.asked == [] and net.resolved == []


async def test_without_tls_nothing_goes_out():
    net = Net(PUBLIC)
    for url in ("http://a.example/", "http://127.0.0.1/", f"http://{PUBLIC}/"):
        assert await ask(net, url) == NOT_HTTPS
    assert net.asked == [] and net.resolved == []


async def test_a_public_address_needs_no_look_up():
    net = Net()
    assert await ask(net, f"https://{PUBLIC}/rpc") == "ok" and net.resolved == []


async def test_behind_a_proxy_the_proxy_resolves():
    net = Net()
    http = Http(httpx.MockTransport(net.handle), wrap=lambda inner, _: guarded(inner, True, net.resolve))
    async with http.open("GET", "https://a.example/", headers={}, patience=PATIENCE):
        pass
    assert str(net.asked[0].url) == "https://a.example/" and net.resolved == []


async def test_a_name_that_is_none_is_unreachable():
    assert await ask(Net(), "https://a.example/") == "outcome.unreachable"


async def test_a_resolver_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(_guard, "RESOLVE_SECONDS", 0.01)

    async def hangs(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", hangs)
    http = Http(httpx.MockTransport(Net().handle), wrap=guarded)
    with pytest.raises(NotSentError):
        async with http.open("GET", "https://a.example/", headers={}, patience=PATIENCE):
            pass


async def test_a_name_is_resolved_once_for_a_request_and_its_next_address_tried():
    """A second look-up could be answered otherwise: that is how a check is got around."""
    net = Net(PUBLIC, "8.8.8.8", fails=1)
    assert await ask(net, "https://a.example/") == "ok"
    assert [r.url.host for r in net.asked] == [PUBLIC, "8.8.8.8"] and len(net.resolved) == 1


async def test_only_a_connection_that_was_refused_is_tried_elsewhere():
    sent: list[str] = []

    def breaks(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.host)
        raise httpx.ReadError("reset")

    net = Net(PUBLIC, "8.8.8.8")
    http = Http(httpx.MockTransport(breaks), wrap=guarded_by(net.resolve))
    with pytest.raises(CutError):
        async with http.open("POST", "https://a.example/", headers={}, patience=PATIENCE, body={}):
            pass
    assert sent == [PUBLIC]


async def test_each_hop_of_a_redirect_is_checked_anew():
    """The name may stand for another address by then."""
    net = Net(PUBLIC)

    def moves(request: httpx.Request) -> httpx.Response:
        net.asked.append(request)
        net.addresses = ("127.0.0.1",)
        return httpx.Response(307, headers={"location": "/elsewhere"})

    async def nothing() -> dict[str, str]:
        return {}

    http = Http(httpx.MockTransport(moves), wrap=guarded_by(net.resolve))
    client = Client(http, Endpoint("https://a.example/rpc"), nothing, clock=FakeClock())
    with pytest.raises(NotSentError) as stopped:
        await client.get("T")
    assert stopped.value.word == PRIVATE and len(net.asked) == 1 and len(net.resolved) == 2


# --- a real connection ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the name a.example, signed by itself."""
    at = tmp_path_factory.mktemp("certificate") / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", str(at), "-out", str(at) + ".crt", "-days", "2", "-subj", "/CN=a.example",
         "-addext", "subjectAltName=DNS:a.example"],
        check=True, capture_output=True,
    )  # fmt: skip
    at.write_text(at.read_text() + Path(f"{at}.crt").read_text())
    return at


@asynccontextmanager
async def tls_server(certificate: Path) -> AsyncIterator[tuple[int, list[str | None]]]:
    """Answers 200 to anything, and keeps the names that were asked for."""
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _socket, name, _context: names.append(name)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1], names


@pytest.mark.parametrize(("host", "word"), [("a.example", ""), ("b.example", "outcome.untrusted")])
async def test_tls_asks_for_the_name_and_checks_it(monkeypatch, certificate, host, word):
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    # The test's server is on this machine, which is what the guard exists to refuse.
    monkeypatch.setattr(_guard, "is_public", lambda _: True)
    _http.tls.cache_clear()
    try:
        async with tls_server(certificate) as (port, names):
            net = Net("127.0.0.1")
            http = Http(wrap=guarded_by(net.resolve))
            try:
                async with http.open(
                    "GET", f"https://{host}:{port}/", headers={}, patience=PATIENCE
                ) as response:
                    assert response.status_code == 200 and word == ""
            except NotSentError as error:
                assert error.word == word
            await http.close()
            assert names == [host]
    finally:
        _http.tls.cache_clear()
