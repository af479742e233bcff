"""The unit of the bench: an empty widget of PySide6, and nothing else."""

import sys

from PySide6.QtWidgets import QApplication, QWidget

app = QApplication(sys.argv)
widget = QWidget()
widget.resize(180, 36)
widget.show()
sys.exit(app.exec())
