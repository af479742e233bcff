"""Who is at the other end of a unix socket, as the kernel says."""

import os
import socket
import struct
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """A process by its number and user. `pid` is 0 where the system does not tell, or it lives elsewhere."""

    pid: int
    uid: int

    @property
    def is_same_user(self) -> bool:
        """Whether it is the user that we run as."""
        return self.uid == os.getuid()


def peer_of(connection: socket.socket) -> Peer:
    """The peer of a connected unix socket. Raises OSError where the system does not tell its user."""
    if sys.platform == "linux":
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        pid, uid, _gid = struct.unpack("3i", data)
        return Peer(pid, uid)
    return _peer_elsewhere(connection)


def _peer_elsewhere(connection: socket.socket) -> Peer:
    """UNTESTED: macOS and BSD. struct xucred starts with version and uid; only macOS has LOCAL_PEERPID."""
    level, local_peercred, local_peerpid = 0, 1, 2
    _version, uid = struct.unpack_from("=II", connection.getsockopt(level, local_peercred, 76))
    if sys.platform != "darwin":
        return Peer(0, uid)
    pid = struct.unpack("i", connection.getsockopt(level, local_peerpid, struct.calcsize("i")))[0]
    return Peer(pid, uid)
