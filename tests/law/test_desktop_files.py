"""The files that desktops read name one program, one icon and the version that there is."""

import re
from xml.etree import ElementTree

from lisa_island import __version__
from lisa_island.system import desktop_entry
from tests.law.source import ROOT

METAINFO = ElementTree.parse(ROOT / "packaging" / "desktop" / "lisa-island.metainfo.xml").getroot()
ENTRY = desktop_entry.read((ROOT / "resources" / "desktop" / desktop_entry.NAME).read_text("utf-8"))


def test_one_name_everywhere() -> None:
    assert METAINFO.findtext("launchable") == desktop_entry.NAME
    assert METAINFO.findtext("name") == ENTRY["Name"]
    assert METAINFO.findtext("provides/binary") == ENTRY["Exec"] == ENTRY["Icon"] == "lisa-island"
    assert (ROOT / "resources" / "icons" / "app" / f"{ENTRY['Icon']}.svg").is_file()
    assert f"{METAINFO.findtext('categories/category')};" == ENTRY["Categories"]


def test_the_windows_belong_to_the_launcher() -> None:
    code = (ROOT / "lisa_island" / "app" / "desktop" / "__init__.py").read_text("utf-8")
    [said] = re.findall(r'setDesktopFileName\("([^"]+)"\)', code)
    assert f"{said}.desktop" == desktop_entry.NAME


def test_this_version_is_announced() -> None:
    assert __version__ in [release.get("version") for release in METAINFO.iter("release")]
    assert __version__ in (ROOT / "CHANGELOG.md").read_text("utf-8")
