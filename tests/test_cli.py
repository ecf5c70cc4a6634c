"""The command line: options, configuration files, and the program from start to end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gtpengine import __version__
from gtpengine.cli import main, make_parser, parse_arguments

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
SLOWEST = 20  # seconds; a test that waits so long fails


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "gtpengine", *words],
        input=stdin,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=SLOWEST,
    )


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The only line that refused arguments leave."""
    with pytest.raises(SystemExit) as left:
        parse_arguments(words)
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gtpengine: error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    return err


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "engine.toml"


BAD_WORDS = [
    *("--size 1", "--size 26", "--size x", "--size 9.5", "--size"),
    *("--komi inf", "--komi nan", "--komi 1,5", "--komi x", "--komi"),
    *("--rules chess", "--rules"),
    *("--time-per-move 0", "--time-per-move -1", "--time-per-move nan", "--time-per-move x"),
    *("--visits 0", "--visits 1e3", "--visits 99999999999"),
    *("--threads 0", "--threads -2", "--threads x", "--threads 1.5"),
    *("--level max", "--resign 2", "--resign -0.1", "--resign always", "--resign nan"),
    *("--memory 0", "--memory x", "--seed -1", "--seed x", "--seed 99999999999999999999"),
    *("--scoring guess", "--ponder=1", "--cleanup=yes", "--lenient=1"),
    *("--config", "--log"),
    *("--nonsense", "--siz 9", "--Size 9", "-x"),
]


@pytest.mark.parametrize("words", BAD_WORDS)
def test_bad_option(words, capsys):
    option, _, value = words.replace("=", " ").partition(" ")
    err = refusal(capsys, *words.split())
    assert option in err
    assert value in err or option == "--Size"


def test_what_is_wrong_takes_one_line(capsys, config):
    refusal(capsys, "--rules", "a\nb")
    config.write_text('"a\\nb" = 1\n')
    refusal(capsys, "--config", str(config))


def test_surplus_word(capsys):
    assert refusal(capsys, "extra").endswith(" extra\n")
    assert refusal(capsys, "--size", "9", "13").endswith(" 13\n")


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("", "komi", 7.0),
        ("", "size", 19),
        ("", "visits", None),
        ("--komi -0.5", "komi", -0.5),
        ("--komi=-7", "komi", -7.0),
        ("--size 25", "size", 25),
        ("--resign never", "resign", None),
        ("--resign 0.05", "resign", 0.05),
        ("--level easy", "level", "easy"),
        ("--time-per-move 0.5", "time_per_move", 0.5),
        ("--visits 1", "visits", 1),
        ("--seed 0", "seed", 0),
        ("--ponder", "ponder", True),
        ("--log engine.log", "log", Path("engine.log")),
        ("--size 9 --size 13", "size", 13),
    ],
)
def test_option(words, name, value):
    assert getattr(parse_arguments(words.split()), name) == value


@pytest.mark.parametrize("name", ["japanese", "tromp-taylor", "chinese"])
def test_rules(name):
    assert parse_arguments(["--rules", name]).rules.name == name


def test_config(config):
    config.write_text(
        "# an engine for beginners\n"
        'size = 13\nkomi = -0.5\nrules = "japanese"\nlevel = "easy"\nresign = "never"\n'
        "time-per-move = 1.5\nthreads = 3\nponder = true\ncleanup = false\nlog = 'engine.log'\n",
        encoding="utf-8",
    )
    args = parse_arguments(["--config", str(config)])
    assert (args.size, args.komi, args.rules.name, args.level) == (13, -0.5, "japanese", "easy")
    assert (args.resign, args.time_per_move, args.threads) == (None, 1.5, 3)
    assert (args.ponder, args.cleanup, args.lenient) == (True, False, False)
    assert args.log == Path("engine.log")


def test_command_line_wins_over_config(config):
    config.write_text("size = 13\nkomi = 0.5\n", encoding="utf-8")
    for words in (["--size", "9", "--config", str(config)], ["--config", str(config), "--size=9"]):
        args = parse_arguments(words)
        assert (args.size, args.komi) == (9, 0.5)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (b"size 13", "line 1"),
        (b"size = ", "value"),
        (b"sizes = 13", "'sizes'"),
        (b"size = [13]", "'size'"),
        (b"[game]\nsize = 13", "'game'"),
        (b"size = 1", "--size"),
        (b"size = true", "--size"),
        (b"size = 9.5", "--size"),
        (b"komi = inf", "--komi"),
        (b"rules = 'chess'", "--rules"),
        (b"level = 3", "--level"),
        (b"ponder = 1", "ponder"),
        (b"ponder = 'yes'", "ponder"),
        (b"config = 'other.toml'", "'config'"),
        (b"help = true", "'help'"),
        (b"version = true", "'version'"),
        (b"size = 9\nsize = 13", "overwrite"),
        (b"\xff\xfe", "utf-8"),
    ],
)
def test_bad_config(text, named, config, capsys):
    config.write_bytes(text)
    err = refusal(capsys, "--config", str(config))
    assert named in err
    assert "--" in err


def test_config_that_cannot_be_read(tmp_path, capsys):
    for path in (tmp_path / "missing.toml", tmp_path):
        assert f"--config {path}" in refusal(capsys, "--config", str(path))


def test_log_that_cannot_be_written(tmp_path, capsys):
    assert main(["--log", str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"gtpengine: error: --log {tmp_path}: Is a directory\n")


def test_every_option_is_explained():
    for action in make_parser()._actions:
        assert action.help, action.option_strings
        assert all(word.startswith("--") or word == "-h" for word in action.option_strings)


# The program


def test_help():
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: gtpengine [-h]")
    for action in make_parser()._actions:
        assert action.option_strings[-1] in done.stdout


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"gtpengine {__version__}\n", "")


def test_bad_option_of_the_program():
    done = run("--size", "1", stdin="quit\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gtpengine: error: argument --size: expected lines, 2..25, got '1'\n"


def test_memory_that_the_system_lacks():
    done = run("--memory", "1048576")
    if done.returncode:  # some systems promise anything
        message = "memory must be what the system has, got '1048576'"
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"gtpengine: error: {message}\n"


def test_bad_config_of_the_program(config):
    config.write_text("speed = 3\n", encoding="utf-8")
    done = run("--config", str(config), stdin="quit\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gtpengine: error: --config {config}: ")
    assert done.stderr.endswith("got 'speed'\n")


def test_options_reach_the_game(config):
    config.write_text("size = 5\nkomi = 0.5\nrules = 'japanese'\n", encoding="utf-8")
    asked = "get_komi\nkata-get-rules\nplay b E5\nplay w F6\nquit\n"
    done = run("--config", str(config), "--komi", "-1.5", stdin=asked)
    komi, rules, on_board, off_board, bye, rest = done.stdout.split("\n\n")
    assert komi == "= -1.5"
    assert '"TERRITORY"' in rules
    assert (on_board, off_board[:1], bye, rest) == ("= ", "?", "= ", "")
    assert done.returncode == 0


@pytest.mark.parametrize("end", ["quit\n", "", "quit"])
def test_end(end):
    done = run(stdin=f"name\n{end}")
    answers = "= gtpengine\n\n" + ("= \n\n" if end else "")
    assert (done.returncode, done.stdout, done.stderr) == (0, answers, "")


def test_log(tmp_path):
    log = tmp_path / "engine.log"
    log.write_text("before\n", encoding="utf-8")
    words = ["--log", str(log), "--verbose", "--size", "5", "--visits", "50", "--threads", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "gtpengine", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"genmove b\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"= ")
        _, err = process.communicate(timeout=SLOWEST)
    assert err == b""
    first, *found = log.read_text(encoding="utf-8").splitlines()
    assert first == "before"
    assert any("visits" in line and "playouts" in line for line in found)


def test_console_command():
    """The command that the installation makes, if this is an installation."""
    command = Path(sys.executable).with_name("gtpengine")
    if not command.exists():
        pytest.skip("gtpengine is not installed")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=SLOWEST)
    assert (done.returncode, done.stdout) == (0, f"gtpengine {__version__}\n")
