"""Everything that goes over a bus, byte for byte, as an eavesdropper of the same user would see it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

END = "org.example.EndOfTest"


@dataclass
class Monitor:
    """What was heard so far; call `finish` before looking."""

    output: IO[bytes]
    heard: bytearray = field(default_factory=bytearray)

    async def finish(self, bus: MessageBus) -> bytes:
        """Send a last signal and read until it comes by."""
        await bus.send(Message(path="/", interface=END, member="End", message_type=MessageType.SIGNAL))
        while END.encode() not in self.heard:
            part = self.output.read1(65536)  # type: ignore[attr-defined]
            assert part, "the monitor ended"
            self.heard += part
        return bytes(self.heard)


@contextmanager
def bus_monitor(address: str) -> Iterator[Monitor]:
    """Listen from here on."""
    command = ["dbus-monitor", "--address", address, "--pcap"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as monitor:
        assert monitor.stdout is not None
        try:
            # It says what it is only once it listens.
            header = monitor.stdout.read1(65536)  # type: ignore[attr-defined]
            assert header
            yield Monitor(monitor.stdout, bytearray(header))
        finally:
            monitor.kill()
