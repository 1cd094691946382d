#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Interrupts a command that reads.

interrupt.py SIGNAL PIPE FILE COMMAND...: runs the command, which must read the named pipe PIPE;
gives it the beginning of FILE, some hundred kilobytes, again and again; when it reads on, sends it
the signal, such as SIGINT. Prints by which signal it has ended, or its status.
"""
import os
import signal
import subprocess
import sys

number = signal.Signals[sys.argv[1]]
with open(sys.argv[3], "rb") as file:
    text = file.read()
# a shell in the background has had them ignored
signal.signal(signal.SIGINT, signal.SIG_DFL)
command = subprocess.Popen(sys.argv[4:], stdout=subprocess.DEVNULL)
with open(sys.argv[2], "wb", buffering=0) as pipe:
    # more than a pipe holds, and than the first piece of the file that a command looks at
    written = 0
    while written < 300000:
        written += pipe.write(text)
    command.send_signal(number)
    status = command.wait()
print(signal.Signals(-status).name if status < 0 else status)
