"""The settings window: `SettingsDialog(shell)`, with one file per page.

dialog = SettingsDialog(shell)
dialog.open_page("remote")            # general agents remote notifications privacy about
dialog.welcome_requested.connect(…)   # About: restart the welcome steps
"""

from lisa_island.ui.settings.dialog import SettingsDialog

__all__ = ["SettingsDialog"]
