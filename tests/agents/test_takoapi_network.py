"""The way to a gateway: certificates that this system trusts, and the proxy that the environment names."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
import truststore
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from lisa_island.agents import _http
from lisa_island.agents._http import NotSentError
from lisa_island.agents._takoapi_http import Gateway
from lisa_island.system.proxies import proxy_for

HOST = "gateway.test"
KEY = "tako_live_" + "k" * 32
ANSWER = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":true}'


class Authority:
    """A certificate authority of a company, and a server it vouches for."""

    def __init__(self, folder: Path) -> None:
        self.file, self.server = folder / "company.pem", folder / "server.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A company")])
        root = _draft(name, name, key).add_extension(x509.BasicConstraints(True, 0), True)
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        root = root.add_extension(usage, True).sign(key, hashes.SHA256())
        self.file.write_bytes(root.public_bytes(serialization.Encoding.PEM))
        own = ec.generate_private_key(ec.SECP256R1())
        who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
        names = x509.SubjectAlternativeName([x509.DNSName(HOST), x509.IPAddress(ip_address("127.0.0.1"))])
        leaf = _draft(who, name, own).add_extension(names, False).sign(key, hashes.SHA256())
        private = own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.server.write_bytes(leaf.public_bytes(serialization.Encoding.PEM) + private)


def _draft(who: x509.Name, by: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(by)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )


class Listener:
    """A TLS gateway and a proxy on loopback; `asked` is what the gateway read, `opened` the proxy."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.opened: list[bytes] = []
        self.refusal = b""
        self.gateway = self.proxy = 0
        self.busy: list[asyncio.Task[None] | None] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.busy.append(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            self.asked.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(ANSWER)
            await writer.drain()
        await _close(writer)

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.busy.append(asyncio.current_task())
        self.opened.append(await reader.readuntil(b"\r\n\r\n"))
        if self.refusal:
            writer.write(self.refusal)
            await _close(writer)
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.gateway)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pour(reader, back), _pour(there, writer))


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    await _close(writer)


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError, ssl.SSLError):
        await writer.wait_closed()


@asynccontextmanager
async def listening(authority: Authority) -> AsyncIterator[Listener]:
    made = Listener()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.server)
    gateway = await asyncio.start_server(made.serve, "127.0.0.1", 0, ssl=context)
    proxy = await asyncio.start_server(made.relay, "127.0.0.1", 0)
    made.gateway, made.proxy = (s.sockets[0].getsockname()[1] for s in (gateway, proxy))
    async with gateway, proxy:
        yield made
        await asyncio.gather(*(task for task in made.busy if task is not None))


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def store(monkeypatch, tmp_path) -> Iterator[pytest.MonkeyPatch]:
    """A system whose store is what the test names; the certificates are read anew before and after."""
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    _http.tls.cache_clear()
    yield monkeypatch
    _http.tls.cache_clear()


async def ask(gateway: Gateway) -> int:
    try:
        async with gateway.post("/v1/agents/a/message", {}, KEY) as response:
            await response.aread()
            return response.status_code
    finally:
        await gateway.close()


# --- certificates ---


@pytest.mark.parametrize("platform", ["linux", "darwin"])
async def test_an_authority_of_this_system_is_trusted(store, authority, platform):
    """On macOS and Windows through truststore, whose OpenSSL part alone runs here."""
    store.setenv("SSL_CERT_FILE", str(authority.file))
    store.setattr(_http.sys, "platform", platform)
    async with listening(authority) as there:
        assert await ask(Gateway(f"https://127.0.0.1:{there.gateway}", None)) == 200
        assert b"Bearer " + KEY.encode() in there.asked[0]
    assert isinstance(_http.tls(), truststore.SSLContext) == (platform == "darwin")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
async def test_an_authority_it_does_not_know_gets_nothing(store, authority, platform, tmp_path):
    other = Authority(tmp_path)
    store.setenv("SSL_CERT_FILE", str(other.file))
    store.setattr(_http.sys, "platform", platform)
    async with listening(authority) as there:
        with pytest.raises(NotSentError) as refused:
            await ask(Gateway(f"https://127.0.0.1:{there.gateway}", None))
        assert refused.value.word == "outcome.untrusted" and there.asked == []


async def test_a_name_it_does_not_vouch_for_gets_nothing(store, authority):
    store.setenv("SSL_CERT_FILE", str(authority.file))
    async with listening(authority) as there:
        with pytest.raises(NotSentError) as refused:
            await ask(Gateway(f"https://localhost:{there.gateway}", None))
        assert refused.value.word == "outcome.untrusted" and there.asked == []


async def test_a_port_where_nobody_listens_is_another_matter(store):
    with pytest.raises(NotSentError) as refused:
        await ask(Gateway("https://127.0.0.1:9", None))
    assert refused.value.word == "outcome.unreachable"


@pytest.mark.parametrize("folder", [None, "empty"])
def test_a_store_that_openssl_was_not_built_for_is_looked_for(store, tmp_path, folder):
    """As in a Python that was built on another system than it runs on."""
    capath = str(tmp_path) if folder else None
    nowhere = ssl.DefaultVerifyPaths(None, capath, "SSL_CERT_FILE", "/no/cert.pem", "SSL_CERT_DIR", "/no")
    store.setattr(ssl, "get_default_verify_paths", lambda: nowhere)
    assert isinstance(_http.tls(), truststore.SSLContext)


# --- proxies ---


def through(there: Listener, named: str = "http://ada:pass@127.0.0.1:{port}", **more: str) -> Gateway:
    environ = {"HTTPS_PROXY": named.format(port=there.proxy), **more}
    return Gateway(f"https://{HOST}:{there.gateway}", None, lambda origin: proxy_for(origin, environ))


async def test_the_proxy_of_the_environment_sees_a_host_and_no_more(store, authority, caplog):
    caplog.set_level(0)
    store.setenv("SSL_CERT_FILE", str(authority.file))
    async with listening(authority) as there:
        assert await ask(through(there)) == 200
        [opened], [asked] = there.opened, there.asked
        assert opened.startswith(f"CONNECT {HOST}:{there.gateway} ".encode())
        assert b"Basic " + base64.b64encode(b"ada:pass") in opened and KEY.encode() not in opened
        assert b"roxy" not in asked and b"Bearer " + KEY.encode() in asked
    assert "ada" not in caplog.text and "pass" not in caplog.text and KEY not in caplog.text


async def test_this_machine_and_exceptions_are_reached_without_it(store, authority):
    store.setenv("SSL_CERT_FILE", str(authority.file))
    async with listening(authority) as there:
        environ = {"HTTPS_PROXY": f"http://127.0.0.1:{there.proxy}"}
        here = Gateway(f"https://127.0.0.1:{there.gateway}", None, lambda o: proxy_for(o, environ))
        assert await ask(here) == 200
        with pytest.raises(NotSentError):  # no name server knows it
            await ask(through(there, NO_PROXY=HOST))
        assert there.opened == []


async def test_a_refusal_of_the_proxy_means_that_nothing_was_sent(store, authority):
    store.setenv("SSL_CERT_FILE", str(authority.file))
    async with listening(authority) as there:
        there.refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"
        with pytest.raises(NotSentError):
            await ask(through(there))
        assert there.asked == []


@pytest.mark.parametrize("named", ["socks5://127.0.0.1:{port}", "http://[", "ftp://x", "http://127.0.0.1:1"])
async def test_a_proxy_that_cannot_be_used_is_not_gone_around(store, authority, named):
    store.setenv("SSL_CERT_FILE", str(authority.file))
    async with listening(authority) as there:
        # An address that a direct way would reach.
        gateway = Gateway(
            f"https://127.0.0.1:{there.gateway}", None, lambda _: named.format(port=there.proxy)
        )
        with pytest.raises(NotSentError):
            await ask(gateway)
        assert there.asked == []


async def test_a_middleman_that_only_the_proxy_trusts_gets_no_key(store, authority, tmp_path):
    """A proxy that opens TLS itself must be vouched for by this system, as any other."""
    other = Authority(tmp_path)
    store.setenv("SSL_CERT_FILE", str(other.file))
    async with listening(authority) as there:
        with pytest.raises(NotSentError):
            await ask(through(there))
        assert there.opened and there.asked == []
