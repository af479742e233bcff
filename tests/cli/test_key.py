"""`key` where there is no keyring: it says so, and nothing of the key is kept anywhere."""

from tests.sandbox.child import KEY


def test_without_a_keyring_nothing_is_saved(island):
    done = island.run("key", "set", given=KEY.encode())
    assert done.code == 1 and "No system keyring was found" in done.said
    kept = b"".join(p.read_bytes() for p in island.home.rglob("*") if p.is_file())
    assert KEY.encode() not in kept and KEY not in done.said + done.text


def test_status_shows_where_the_key_is_and_its_beginning(called, gateway):
    done = called.run("key", "status")
    assert done.code == 0 and KEY[:16] in done.text and KEY[:17] not in done.text
    assert gateway.url in done.text and gateway.get("requests") == []


def test_a_key_goes_to_no_other_origin(called):
    """The key in the environment belongs to the address beside it; another address in the file has none."""
    called.url = "http://127.0.0.1:9"
    assert called.run("key", "status").code == 0
    called.extra.pop("TAKO_KEY")
    (called.lisa / "config.env").write_text(f"TAKO_KEY={KEY}\nTAKOAPI_BASE_URL=http://127.0.0.1:1\n")
    (called.lisa / "config.env").chmod(0o600)
    called.write("island.json", {"schema": 1, "keySource": "file"})
    done = called.run("key", "status")
    assert done.code == 1 and KEY[:16] not in done.text


def test_a_file_that_others_can_read_is_not_read(called):
    called.extra.pop("TAKO_KEY")
    (called.lisa / "config.env").write_text(f"TAKO_KEY={KEY}\nTAKOAPI_BASE_URL={called.url}\n")
    (called.lisa / "config.env").chmod(0o644)
    called.write("island.json", {"schema": 1, "keySource": "file"})
    done = called.run("key", "status")
    assert done.code == 1 and "chmod 600" in done.text and "{file}" not in done.text


def test_an_empty_key_at_a_terminal(island):
    done = island.person("key", "set", types=[("not shown", b"\n")])
    assert done.code == 1 and "Enter a key" in done.said
    assert island.person("key", "set", types=[("not shown", b"\x04")]).code == 1
