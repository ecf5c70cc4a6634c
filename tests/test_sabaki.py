"""A game played by Sabaki's own code: @sabaki/gtp, which is installed if it is not there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = "@sabaki/gtp@3.0.0"
SCRIPT = Path(__file__).with_name("sabaki_game.js")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder of @sabaki/gtp; NODE_PATH may name the node_modules that hold it."""
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    inside = Path("@sabaki") / "gtp"
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        if folder and (Path(folder) / inside).is_dir():
            return Path(folder) / inside
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    words = ["install", "--no-audit", "--no-fund", "--prefix", str(tmp_path), PACKAGE]
    try:
        done = subprocess.run([npm, *words], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{PACKAGE} cannot be installed in time")
    if done.returncode:
        pytest.skip(f"{PACKAGE} cannot be installed: {done.stderr.strip()[-200:]}")
    return tmp_path / "node_modules" / inside


@pytest.mark.slow
def test_an_analysed_game(package: Path):
    engine = [sys.executable, "-m", "gtpengine", "--time-per-move", "0.1", "--threads", "1"]
    done = subprocess.run(
        ["node", str(SCRIPT), str(package), *engine],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["name"] == "gtpengine"
    assert len(summary["moves"]) >= 10
    assert summary["aborts"] >= 4
    assert summary["undos"] >= 1
    assert summary["stderr"] == []
    assert summary["slowestAbort"] < 500  # milliseconds; 100 on a machine with nothing else to do
    print(done.stdout)
