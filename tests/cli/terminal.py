#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command on a terminal of its own.

terminal.py show COLUMNS COMMAND...: prints what the command writes to a terminal of this width.

terminal.py each COLUMNS,COLUMNS COMMAND...: the same for each line of standard input, arguments of
the command, and each width. Ahead of what the command writes is a line "\x01COLUMNS ARGUMENTS".

terminal.py stop FILE COMMAND...: the same on 80 columns, but stops the command for more than a
second when it has begun to read the file, which must have some twenty megabytes.

terminal.py interrupt PIPE FILE COMMAND...: gives the command, which reads the named pipe, one half
of the file and a second later the other one; when it shows its progress, types Ctrl-C. The last
line is the signal that has ended it, or its status.

terminal.py type COMMAND...: types lines from standard input into an interactive shell, and prints
what its line has become. In the line \\t, \\e and \\\\ stand for the keys. Ctrl-X Ctrl-G must be
bound to a command that prints "[[", the line and "]]", and empties the line.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

SECONDS = 60
MEGABYTE = 1 << 20
REPORT = b"\x18\x07"


def start(columns, command):
    """Returns the process id and the terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        # a shell in the background has had it ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], command)
    return pid, terminal


def read(terminal):
    """Returns what the terminal shows next; nothing at its end."""
    if not select.select([terminal], [], [], SECONDS)[0]:
        sys.exit("terminal.py: nothing happens")
    try:
        return os.read(terminal, 65536)
    except OSError:     # the command has ended
        return b""


def show(columns, command):
    return show_rest(*start(columns, command))


def show_rest(pid, terminal):
    while text := read(terminal):
        sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def show_each(widths, command):
    for line in sys.stdin:
        for width in widths.split(","):
            print(f"\x01{width} {line}", end="", flush=True)
            show(int(width), command + line.split())
    return 0


def position(pid, path):
    """Returns how much of a file a process has read; nothing if it has not opened it."""
    try:
        for number in os.listdir(f"/proc/{pid}/fd"):
            if os.readlink(f"/proc/{pid}/fd/{number}") == path:
                with open(f"/proc/{pid}/fdinfo/{number}", encoding="ascii") as info:
                    return int(info.readline().split()[1])
    except FileNotFoundError:   # closed, or the process has ended
        pass
    return 0


def stop(path, command):
    pid, terminal = start(80, command)
    while position(pid, os.path.realpath(path)) < MEGABYTE:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            sys.exit("terminal.py: the command has ended before")
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1.1)
    os.kill(pid, signal.SIGCONT)
    return show_rest(pid, terminal)


def interrupt(pipe_path, path, command):
    pid, terminal = start(80, command)
    with open(path, "rb") as file:
        text = file.read()
    with open(pipe_path, "wb", buffering=0) as pipe:
        pipe.write(text[:len(text) // 2])
        time.sleep(1.1)
        pipe.write(text[len(text) // 2:])
        seen = b""
        while b"MB/s" not in seen:
            seen += read(terminal)
        os.write(terminal, b"\x03")
        while text := read(terminal):
            seen += text
    sys.stdout.buffer.write(seen)
    sys.stdout.flush()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print("\n" + (signal.Signals(-status).name if status < 0 else str(status)))
    return 0


def read_until(terminal, seen, end):
    """Reads up to `end`. Returns what is before it and what is behind."""
    while end not in seen:
        text = read(terminal)
        if not text:
            sys.exit(f"terminal.py: the shell has ended: {seen.decode()}")
        seen += text
    return seen.split(end, 1)


def type_lines(command):
    pid, terminal = start(4000, command)
    seen = b""
    for line in sys.stdin:
        keys = line.rstrip("\n").encode().replace(b"\\t", b"\t").replace(b"\\e", b"\x1b")
        os.write(terminal, keys.replace(b"\\\\", b"\\") + REPORT)
        seen = read_until(terminal, seen, b"[[")[1]
        typed, seen = read_until(terminal, seen, b"]]")
        print(typed.decode())
    os.close(terminal)
    os.waitpid(pid, 0)
    return 0


if sys.argv[1] == "show":
    sys.exit(show(int(sys.argv[2]), sys.argv[3:]))
if sys.argv[1] == "each":
    sys.exit(show_each(sys.argv[2], sys.argv[3:]))
if sys.argv[1] == "stop":
    sys.exit(stop(sys.argv[2], sys.argv[3:]))
if sys.argv[1] == "interrupt":
    sys.exit(interrupt(sys.argv[2], sys.argv[3], sys.argv[4:]))
sys.exit(type_lines(sys.argv[2:]))
