"""Whatever stands in the owner's files, a change touches what is ours and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.core.preferences import Pin
from lisa_island.system import _agents_file, _json_edit
from lisa_island.system._island_values import DEFAULTS, KEYS
from lisa_island.system._settings_files import SettingsFiles


@pytest.fixture(autouse=True, scope="module")
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Hundreds of documents: what is written counts here, not that it outlasts a power cut."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda _handle: None)
        yield


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
keys = st.sampled_from(
    ["takoapi", "integrations", "enabled", "pin", "managed", "visibility", "schema", "theme"]
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | st.text(), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(keys | st.text(), values, max_size=6)
entries = st.fixed_dictionaries(
    {}, optional={"enabled": scalars, "pin": st.lists(scalars, max_size=4), "x": values}
)
agents = objects | st.builds(
    lambda rest, nested, entry: rest | {"integrations": nested | {"takoapi": entry}},
    objects,
    objects,
    entries | values,
)
shapes = st.sampled_from(
    [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}, {"ensure_ascii": True}]
)
slugs = st.lists(st.text("abcdefg-é0", min_size=1, max_size=8), max_size=4, unique=True)


def written(document: Any, shape: dict[str, Any]) -> str:
    return json.dumps(document, **({"ensure_ascii": True} | shape))


def exact(document: Any) -> str:
    """A form in which documents are equal only with the same order, types and number spelling."""
    return json.dumps(document)


@settings(deadline=None)
@given(objects, shapes, st.lists(keys | st.text(), min_size=1, max_size=3), values)
def test_put_sets_one_value(
    document: dict[str, Any], shape: dict[str, Any], path: list[str], value: Any
) -> None:
    text = written(document, shape)
    expected = json.loads(text)
    place = expected
    for key in path[:-1]:
        place = place.setdefault(key, {})
        if not isinstance(place, dict):
            with pytest.raises(_json_edit.BrokenError):
                _json_edit.put(text, tuple(path), value)
            return
    place[path[-1]] = value
    assert exact(json.loads(_json_edit.put(text, tuple(path), value))) == exact(expected)


@settings(deadline=None)
@given(objects, shapes, st.data())
def test_put_leaves_every_other_byte(
    document: dict[str, Any], shape: dict[str, Any], data: st.DataObject
) -> None:
    text = written(document, shape)
    if not document:
        return
    key = data.draw(st.sampled_from(list(document)))
    marked = _json_edit.put(text, (key,), "\x01mark")
    before, after = marked.split('"\\u0001mark"')
    assert text.startswith(before)
    assert text.endswith(after)


ODD = '{ "a" : 1.50e+2 ,\r\n\t"a":2, "b":[ ],"big":12345678901234567890.10,"s":"\\ud800\\/" }'


def test_spelling_is_kept() -> None:
    assert _json_edit.put(ODD, ("b",), [1]) == ODD.replace("[ ]", "[1]")
    # Every reader takes the last of two; so it is the one to change.
    assert _json_edit.put(ODD, ("a",), 3) == ODD.replace('"a":2', '"a":3')
    assert _json_edit.load(_json_edit.put(ODD, ("s",), "\ud800")) == {**_json_edit.load(ODD), "s": "\ud800"}


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("{}", ("a",), '{\n  "a": true\n}'),
        (" { } \n", ("a",), ' {\n  "a": true\n} \n'),
        ('{"x": {}}', ("x", "a"), '{"x": {"a": true}}'),
        ('{"x": 1}', ("a",), '{"x": 1,"a": true}'),
        ('{"x": 1, "y": 2}', ("a",), '{"x": 1, "y": 2, "a": true}'),
        ('{\n\t"x": 1\n}\n', ("a",), '{\n\t"x": 1,\n\t"a": true\n}\n'),
        ('{\n  "x": 1\n}', ("a", "b"), '{\n  "x": 1,\n  "a": {\n    "b": true\n  }\n}'),
    ],
)
def test_what_is_added_looks_like_its_neighbours(text: str, path: tuple[str, ...], after: str) -> None:
    assert _json_edit.put(text, path, True) == after


@settings(deadline=None)
@given(agents, shapes, st.none() | st.booleans(), st.none() | slugs)
def test_only_our_entry_of_the_shared_file_changes(
    document: dict[str, Any], shape: dict[str, Any], enabled: bool | None, pins: list[str] | None
) -> None:
    changes: dict[str, Any] = {}
    if enabled is not None:
        changes["takoapi_enabled"] = enabled
    if pins is not None:
        changes["pins"] = tuple(Pin(slug) for slug in pins)
    with TemporaryDirectory() as folder:
        home = Path(folder)
        text = written(document, shape)
        (home / "agents.json").write_text(text, "utf-8")
        files = SettingsFiles(home, lambda: 0)
        before = files.load()
        after = files.change(changes)
        new = (home / "agents.json").read_text("utf-8")
    assert after.shared == before.shared | changes
    if not changes:
        assert new == text
    if new == text:
        return
    assert exact(without_ours(json.loads(new))) == exact(without_ours(json.loads(text)))
    assert lisas_view(json.loads(new)) == lisas_view(json.loads(text))
    entry = json.loads(new)["integrations"]["takoapi"]
    if "takoapi_enabled" in changes:
        assert entry["enabled"] is enabled, "LISA takes anything but false for on"
    old = json.loads(text).get("integrations")
    if isinstance(old, dict) and isinstance(old.get("takoapi"), dict):
        assert {k: v for k, v in entry.items() if k not in ("enabled", "pin")} == {
            k: v for k, v in old["takoapi"].items() if k not in ("enabled", "pin")
        }


def without_ours(document: dict[str, Any]) -> dict[str, Any]:
    """The document less our entry, and less an `integrations` that holds nothing but what we put there."""
    found = dict(document)
    nested = found.pop("integrations", None)
    if isinstance(nested, dict):
        rest = {k: v for k, v in nested.items() if k != "takoapi"}
        if rest and rest != _agents_file.LISA_DEFAULTS:
            found["integrations"] = rest
    return found


def lisas_view(document: dict[str, Any]) -> Any:
    """What LISA runs beside us: its defaults where it finds no object, else what the object says."""
    nested = document.get("integrations")
    rest = _agents_file.LISA_DEFAULTS if not isinstance(nested, dict) else nested
    return {k: v for k, v in rest.items() if k != "takoapi"}


@settings(deadline=None)
@given(objects, shapes, st.sampled_from(["dark", "light", "contrast"]), st.booleans())
def test_only_changed_keys_of_our_file_change(
    document: dict[str, Any], shape: dict[str, Any], theme: str, welcomed: bool
) -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "island.json").write_text(written(document, shape), "utf-8")
        files = SettingsFiles(home, lambda: 0)
        before = files.load()
        after = files.change({"theme": theme, "welcomed": welcomed})
        new = json.loads((home / "island.json").read_text("utf-8"))
    assert after.ours == before.ours | {"theme": theme, "welcomed": welcomed}
    ours = {"schema", "theme", "welcomed"}
    old = json.loads(written(document, shape))
    assert exact([i for i in new.items() if i[0] not in ours]) == exact(
        [i for i in old.items() if i[0] not in ours]
    )


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(KEYS)), values))
def test_no_value_takes_others_down(document: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "island.json").write_text(json.dumps({"schema": 1} | document), "utf-8")
        stored = SettingsFiles(home, lambda: 0).load()
    bad = {values["key"] for _, values in stored.problems}
    assert bad <= document.keys()
    for key, name in KEYS.items():
        if key in bad and name in stored.ours:
            assert stored.ours[name] == DEFAULTS[name]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_readable_or_reported(text: str) -> None:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "agents.json").write_text(text, "utf-8", errors="replace")
        stored = SettingsFiles(home, lambda: 0).load()
    assert stored.shared == {"takoapi_enabled": False, "pins": ()}
