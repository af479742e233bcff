"""The lean start leaves out what nobody needs yet, and takes nothing away for good."""

import datetime
import ipaddress
import json
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

STARTED = """
import json, sys
from lisa_island.app.lean import read_lean
read_lean()
import lisa_island.cli.commands, lisa_island.app.headless, lisa_island.system._settings_files
heavy = ["ssl", "_ssl", "_hashlib", "pydantic", "httpx", "keyring", "filelock", "cryptography", "email"]
print(json.dumps([name for name in heavy if name in sys.modules]))
"""
ASKS = """
import sys
from lisa_island.app.lean import read_lean
read_lean()
import asyncio, hashlib, hmac, ssl, httpx
assert asyncio.base_events.ssl is None
async def main():
    async with httpx.AsyncClient(verify=ssl.create_default_context(cafile=sys.argv[2])) as client:
        print((await client.get(sys.argv[1])).text)
asyncio.run(main())
assert hmac.new(b"k", b"m", hashlib.sha256).digest() == hmac.digest(b"k", b"m", "sha256")
"""


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Quietly."""


@pytest.fixture
def server(tmp_path):
    """(address, certificate) of an HTTPS server on this machine."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now, here = datetime.datetime.now(datetime.UTC), ipaddress.ip_address("127.0.0.1")
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(here)]), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = tmp_path / "server.pem"
    plain = serialization.NoEncryption()
    pem.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    served = HTTPServer(("127.0.0.1", 0), Hello)
    served.socket = context.wrap_socket(served.socket, server_side=True)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield f"https://127.0.0.1:{served.server_port}/", pem
    served.shutdown()
    thread.join()
    served.server_close()


def test_an_island_at_rest_reads_neither_tls_nor_models_nor_http():
    assert json.loads(run(STARTED)) == []


def test_https_and_digests_work_all_the_same(server):
    address, pem = server
    assert run(ASKS, address, str(pem)) == "hello\n"
