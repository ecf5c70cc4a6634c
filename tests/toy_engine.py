"""An engine that knows no Go: what the tests of the session talk to, here or as a program."""

import os
import signal
import subprocess
import sys
import threading
import time

from gtpengine.gtp.arguments import Arguments
from gtpengine.gtp.engine import Engine
from gtpengine.gtp.protocol import GtpError
from gtpengine.gtp.table import Stream, command, stream_command


class Toy:
    """A command of every kind: quick, slow, failing, endless, noisy."""

    def __init__(self) -> None:
        self.n_stops = 0
        self._stopped = threading.Event()

    def stop(self) -> None:
        # Like a search: harmless and forgotten when nothing runs.
        self.n_stops += 1
        self._stopped.set()

    @command("echo")
    def echo(self, args: Arguments) -> str:
        return " ".join(args.rest())

    @command("lines")
    def lines(self, args: Arguments) -> str:
        return "\n".join(args.rest())

    @command("search")
    def search(self, args: Arguments) -> str:
        time.sleep(0.05)  # whoever stops it now comes too early
        self._stopped.clear()
        return "stopped" if self._stopped.wait(args.number("seconds")) else "finished"

    @command("stubborn")
    def stubborn(self, args: Arguments) -> None:
        time.sleep(args.number("seconds"))

    @command("signal")
    def signal(self, args: Arguments) -> None:
        # As if this thread, and not the main one, had been given the signal from outside.
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        time.sleep(20)

    @command("refuse")
    def refuse(self, args: Arguments) -> None:
        raise GtpError("cannot score", "the detail is for the log")

    @command("crash")
    def crash(self, args: Arguments) -> None:
        raise ZeroDivisionError("deliberate")

    @command("noise")
    def noise(self, args: Arguments) -> str:
        print("printed", flush=True)
        os.write(1, b"written to fd 1\n")
        subprocess.run([sys.executable, "-S", "-c", "print('from a child')"], check=True)
        return "done"

    @command("big")
    def big(self, args: Arguments) -> str:
        return "x" * args.integer(0, 10**8, "bytes")

    @stream_command("watch", ends_on_input=True)
    def watch(self, args: Arguments, stream: Stream) -> None:
        seconds = args.number("seconds", 0, 1000)
        args.done()
        stream.open()
        n = 0
        while not stream.wanted_end.wait(seconds):
            n += 1
            stream.line(f"info {n}")
        threading.Timer(0.05, stream.line, ["too late"]).start()

    @stream_command("analyze", ends_on_input=True)
    def analyze(self, args: Arguments, stream: Stream) -> None:
        args.done()
        self._stopped.clear()
        stream.open()
        self._stopped.wait(60)  # nothing but a stop ends it

    @stream_command("think", ends_on_input=False)
    def think(self, args: Arguments, stream: Stream) -> None:
        stream.line("info 1")
        stream.wanted_end.wait(args.number("seconds"))
        stream.line("play D4")

    @stream_command("break", ends_on_input=False)
    def break_off(self, args: Arguments, stream: Stream) -> None:
        stream.line("=info")
        raise ZeroDivisionError("deliberate")


if __name__ == "__main__":
    toy = Toy()
    sys.exit(Engine([toy], "toy", "1.0", on_stop=toy.stop).run())
