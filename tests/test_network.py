"""Search with a network, by networks that are a few lines of numpy; files that are refused."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest

from gtpengine.coords import format_vertex, parse_vertex, row_column
from gtpengine.core.board import Board
from gtpengine.core.findings import Choice
from gtpengine.core.history import History
from gtpengine.core.network import NetworkEvaluator
from gtpengine.core.search import Search
from gtpengine.core.types import BLACK, PASS, WHITE
from gtpengine.game import Game
from gtpengine.network import CONTRACT, INPUTS, OUTPUTS, LoadedNetwork, shipped_network
from gtpengine.player import Player
from gtpengine.settings import PlayerSettings
from positions import game_of, play_all, rules_of

Floats = npt.NDArray[np.float32]
Run = Callable[[Floats, Floats], list[Floats]]
LAST = 10  # the plane of the last move


def toy(planes: Floats, scalars: Floats) -> list[Floats]:
    """A network that likes points beside the last move, and stones of its own."""
    n = len(planes)
    padded = np.pad(planes[:, LAST], ((0, 0), (1, 1), (1, 1)))
    beside = padded[:, 2:, 1:-1] + padded[:, :-2, 1:-1] + padded[:, 1:-1, 2:] + padded[:, 1:-1, :-2]
    owner = planes[:, 1] - planes[:, 2]
    lead = owner.sum((1, 2))
    win = 1 / (1 + np.exp(-lead / 2))
    policy = np.concatenate((3 * beside.reshape(n, -1), np.full((n, 1), 0.5)), 1)
    parts = (
        policy,
        np.stack((win, 0 * win, 1 - win), 1),
        np.stack((lead, 1 + 0 * lead), 1),
        owner,
    )
    return [np.ascontiguousarray(part, dtype=np.float32) for part in parts]


def make_search(
    seed: int = 1, n_threads: int = 1, batch_size: int = 4, cache_memory: int = 1 << 20,
    run: Run = toy,
) -> Search:  # fmt: skip
    evaluator = NetworkEvaluator(
        run, batch_size=batch_size, score_weight=0.05, cache_memory=cache_memory
    )
    return Search(
        evaluator, memory=64 << 20, n_threads=n_threads, seed=seed, exploration=0.6, amaf_bias=0,
        prior_visits=0, prior_shift=0, expand_at=1, width=729, widening=0, exploration_growth=0.45,
        exploration_base=500, first_play=0.15,
    )  # fmt: skip


def searched(search: Search, game: Game, visits: int, **more: object) -> list[Choice]:
    search.set_position(game.history, game.to_play, komi=0, **more)  # type: ignore[arg-type]
    search.begin(visits)
    search.work(0)
    return search.choices()


def test_priors_are_the_policy_of_the_legal_moves() -> None:
    """In whichever symmetry the network saw the board."""
    game = Game(9)
    play_all(game, "B C7, W G2")
    for seed in range(20):
        choices = {c.point: c for c in searched(make_search(seed), game, 1)}
        assert len(choices) == 81 - 2 + 1
        assert sum(c.prior for c in choices.values()) == pytest.approx(1)
        weight = {p: c.prior / choices[parse_vertex("A9", 9)].prior for p, c in choices.items()}
        near = {parse_vertex(v, 9) for v in ("G1", "G3", "F2", "H2")}
        for point, ratio in weight.items():
            want = np.exp(3 if point in near else 0.5 if point == PASS else 0)
            assert ratio == pytest.approx(want, rel=0.02)


ATARI = """
    . . . . . . .
    . . . . . . .
    . . X X . . .
    . X O O . . .
    . . X X . . .
    . . . . . . .
    . . . . . . ."""


def test_the_move_that_wins_stones_is_found() -> None:
    choices = searched(make_search(), game_of(ATARI), 400)
    assert format_vertex(choices[0].point) == "E4"
    assert choices[0].visits > 100
    assert choices[0].win_rate > 0.8
    assert choices[0].lead > 3


def test_priors_of_the_root_may_be_changed() -> None:
    game, search = Game(7), make_search()
    (first, *others) = searched(search, game, 1)
    wanted = min(others, key=lambda choice: choice.prior).point
    search.set_priors({wanted: 0.9})
    priors = {choice.point: choice.prior for choice in search.choices()}
    assert priors.pop(wanted) == pytest.approx(0.9)
    assert priors.items() <= {c.point: c.prior for c in (first, *others)}.items()
    search.begin(40)
    search.work(0)
    assert search.choices()[0].point == wanted
    assert searched(make_search(), game, 40)[0].point != wanted
    with pytest.raises(ValueError, match="expected a move of the root, got '5'"):
        search.set_priors({5: 0.5})
    with pytest.raises(ValueError, match="expected a move of the root"):
        make_search().set_priors({wanted: 0.5})


def test_the_side_to_move_is_told_its_own_view() -> None:
    black, white = make_search(), make_search()
    searched(black, game_of(ATARI), 100)
    searched(white, game_of(ATARI.replace("X", "?").replace("O", "X").replace("?", "O"), "W"), 100)
    assert black.win_rate == pytest.approx(white.win_rate, abs=1e-5)
    assert black.lead == pytest.approx(white.lead, abs=1e-4)
    assert black.ownership() == pytest.approx(-white.ownership(), abs=1e-4)
    at = row_column(parse_vertex("C5", 7), 7)
    assert black.ownership()[at] > 0.9


def test_one_thread_and_one_seed_search_the_same_tree() -> None:
    game = game_of(ATARI)
    first, second = searched(make_search(3), game, 500), searched(make_search(3), game, 500)
    assert first == second


@pytest.mark.parametrize("batch_size", [1, 3, 16])
def test_no_leaf_is_evaluated_twice(batch_size: int) -> None:
    """Each position goes to the network once, whatever the batch, and the limit is kept."""
    seen: list[bytes] = []

    def run(planes: Floats, scalars: Floats) -> list[Floats]:
        assert 1 <= len(planes) <= batch_size
        assert planes.dtype == scalars.dtype == np.float32
        seen.extend(planes[i].tobytes() for i in range(len(planes)))
        return toy(planes, scalars)

    search = make_search(batch_size=batch_size, run=run)
    searched(search, Game(5), 300)
    assert 300 <= search.visits < 300 + batch_size
    evaluator = search.evaluator
    assert isinstance(evaluator, NetworkEvaluator)
    assert evaluator.n_evaluated == len(seen)
    assert evaluator.n_evaluated + evaluator.n_cached == search.visits
    assert evaluator.n_cached > 0  # transpositions


def test_known_leaves_take_no_place_in_a_batch() -> None:
    """The cache outlives the tree: what it knows is searched again without asking the network."""
    sizes: list[int] = []

    def run(planes: Floats, scalars: Floats) -> list[Floats]:
        sizes.append(len(planes))
        return toy(planes, scalars)

    search = make_search(batch_size=8, run=run)
    searched(search, Game(9), 400)
    assert sizes.count(8) > 0.9 * len(sizes)
    sizes.clear()
    search.forget()
    searched(search, Game(9), 800)
    assert search.visits == 800
    assert sum(sizes) < 500


def test_a_small_cache_and_a_large_one_agree() -> None:
    """Up to what is lost by keeping numbers short."""
    game = game_of(ATARI)
    small = searched(make_search(cache_memory=1), game, 200)
    large = searched(make_search(cache_memory=1 << 22), game, 200)
    assert small[0].point == large[0].point
    assert small[0].win_rate == pytest.approx(large[0].win_rate, abs=0.02)


def test_threads_share_the_work() -> None:
    search = make_search(n_threads=2)
    search.set_position(game_of(ATARI).history, BLACK, komi=0)
    search.begin(2000)
    threads = [threading.Thread(target=search.work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert search.visits >= 2000
    assert format_vertex(search.choices()[0].point) == "E4"


def test_boards_of_other_sizes_may_follow() -> None:
    search = make_search()
    for size in (9, 19, 5, 2, 25, 9):
        choices = searched(search, Game(size), 60)
        assert len(choices) >= size * size - 1
        assert search.ownership().shape == (size, size)


def test_two_passes_are_scored_by_who_owns_what() -> None:
    """After White's pass Black wins by passing as long as it owns more than the komi."""
    game = Game(5)
    play_all(game, "B C3, W C1, B B3, W pass")
    for komi, wins in ((0.5, True), (1.5, False)):
        search = make_search()
        search.set_position(game.history, BLACK, komi=komi)
        search.begin(600)
        search.work(0)
        passing = next(c for c in search.choices() if c.point == PASS)
        assert passing.visits > 0
        assert (passing.win_rate > 0.5) == wins
        assert passing.lead == pytest.approx(1 - komi)


def test_superko_is_no_candidate_for_long() -> None:
    game = Game(3, rules_of("positional"))
    play_all(game, "B B3, W B1, B C2, W B2, B C1, W C3")
    choices = searched(make_search(), game, 300, superko="positional")
    assert parse_vertex("C2", 3) not in {c.point for c in choices if c.visits}


def test_answers_of_the_wrong_shape_are_refused() -> None:
    def run(planes: Floats, scalars: Floats) -> list[Floats]:
        policy, value, lead, owner = toy(planes, scalars)
        return [policy[:, :-1].copy(), value, lead, owner]

    search = make_search(run=run)
    search.set_position(History(Board(5)), BLACK, komi=0)
    search.begin(10)
    with pytest.raises(ValueError, match="expected 1 answers of the network for 5 lines"):
        search.work(0)


def test_what_goes_wrong_in_the_network_comes_out() -> None:
    def run(planes: Floats, scalars: Floats) -> list[Floats]:
        raise RuntimeError("no more")

    search = make_search(run=run)
    search.set_position(History(Board(5)), BLACK, komi=0)
    search.begin(10)
    with pytest.raises(RuntimeError, match="no more"):
        search.work(0)
    with pytest.raises(ValueError, match="batch size must be at least 1, got '0'"):
        make_search(batch_size=0)


# --- files ---------------------------------------------------------------------------------------


def write_network(
    path: Path, contract: str = str(CONTRACT), sizes: str = "5 9", planes: int = 20,
    policy: str = "policy", about: str = '{"who": "a test"}',
) -> Path:  # fmt: skip
    """A file by the contract whose policy is flat; the arguments make it a bad one."""
    helper, real = onnx.helper, onnx.TensorProto.FLOAT
    shapes = {**INPUTS, **OUTPUTS, "planes": ("n", planes, "size", "size")}
    nodes = [
        # Sums over the board and the planes stand in for all that is learned.
        helper.make_node("ReduceMean", ["planes"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("ReduceMean", ["planes"], ["owner_raw"], axes=[1], keepdims=0),
        helper.make_node("Mul", ["owner_raw", "zero"], ["owner"]),
        helper.make_node("Flatten", ["owner"], ["points"]),
        helper.make_node("ReduceSum", ["points", "one_axis"], ["passing"], keepdims=1),
        helper.make_node("Concat", ["points", "passing"], [policy], axis=1),
        helper.make_node("Mul", ["passing", "three"], ["value_raw"]),
        helper.make_node("Softmax", ["value_raw"], ["value"], axis=1),
        helper.make_node("Mul", ["passing", "two"], ["lead"]),
    ]
    constants = [
        helper.make_tensor("zero", real, [1], [0.0]),
        helper.make_tensor("three", real, [1, 3], [0.0] * 3),
        helper.make_tensor("two", real, [1, 2], [0.0] * 2),
        helper.make_tensor("one_axis", onnx.TensorProto.INT64, [1], [1]),
    ]
    names = [policy if name == "policy" else name for name in OUTPUTS]
    graph = helper.make_graph(
        nodes, "test",
        [helper.make_tensor_value_info(name, real, shapes[name]) for name in INPUTS],
        [helper.make_tensor_value_info(name, real, shapes.get(name, shapes["policy"]))
         for name in names],
        constants,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    properties = {"gtpengine.contract": contract, "gtpengine.sizes": sizes}
    helper.set_model_props(model, {**properties, "gtpengine.about": about})
    onnx.save(model, str(path))
    return path


def test_a_file_by_the_contract_is_read(tmp_path: Path) -> None:
    network = LoadedNetwork(write_network(tmp_path / "a.onnx"))
    assert network.sizes == (5, 9)
    assert network.about == json.loads('{"who": "a test"}')
    assert [network.covers(size) for size in (4, 5, 9, 10)] == [False, True, True, False]
    planes, scalars = np.zeros((3, 20, 7, 7), np.float32), np.zeros((3, 5), np.float32)
    shapes = [part.shape for part in network.run(planes, scalars)]
    assert shapes == [(3, 50), (3, 3), (3, 2), (3, 7, 7)]


BAD = {
    "contract": ({"contract": "99"}, f"expected contract {CONTRACT}, got '99'"),
    "sizes": ({"sizes": "9"}, "expected board sizes and a description, got '9'"),
    "order": ({"sizes": "9 5"}, "expected board sizes and a description, got '9 5'"),
    "about": ({"about": "{"}, "expected board sizes and a description"),
    "planes": ({"planes": 19}, "expected input planes of shape"),
    "names": ({"policy": "moves"}, "expected outputs policy, value, lead, owner, got 'moves"),
}


@pytest.mark.parametrize(("changes", "message"), BAD.values(), ids=BAD)
def test_a_file_that_breaks_the_contract_is_refused(
    tmp_path: Path, changes: dict[str, str], message: str
) -> None:
    path = write_network(tmp_path / "a.onnx", **changes)  # type: ignore[arg-type]
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        LoadedNetwork(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_or_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such file"):
        LoadedNetwork(tmp_path / "none.onnx")
    (tmp_path / "bad.onnx").write_bytes(b"no network at all")
    with pytest.raises(ValueError, match=r"not a readable ONNX file: [^\n]*$"):
        LoadedNetwork(tmp_path / "bad.onnx")


# --- the player ----------------------------------------------------------------------------------


def test_the_player_takes_the_network_where_it_covers_the_board(tmp_path: Path) -> None:
    model = write_network(tmp_path / "a.onnx")
    player = Player(PlayerSettings(visits=30, threads=1, seed=1, model=model))
    assert player.network(9) is not None
    assert player.network(13) is None
    assert player.move(Game(9), BLACK) >= PASS
    assert isinstance(player.search.evaluator, NetworkEvaluator)
    assert player.move(Game(13), BLACK) > PASS
    assert not isinstance(player.search.evaluator, NetworkEvaluator)
    assert player.move(Game(5), WHITE) >= PASS
    assert isinstance(player.search.evaluator, NetworkEvaluator)


def test_a_network_that_was_asked_for_must_be_there(tmp_path: Path) -> None:
    model = write_network(tmp_path / "a.onnx")
    asked = Player(PlayerSettings(evaluator="network", model=model))
    with pytest.raises(ValueError, match=r"is for 5\.\.9 lines, got '19'"):
        asked.network(19)
    with pytest.raises(ValueError, match="no such file"):
        Player(PlayerSettings(model=tmp_path / "none.onnx")).network(9)
    assert Player(PlayerSettings(evaluator="playout", model=model)).network(9) is None
    assert shipped_network(5) is None
    with pytest.raises(ValueError, match="expected a network for 5 lines, got none"):
        Player(PlayerSettings(evaluator="network")).network(5)


@pytest.mark.parametrize(
    "line", ["genmove b", "reg_genmove b", "lz-analyze b 10", "lz-genmove_analyze b 10",
             "kata-search_analyze b 10", "gtpengine-best_moves", "gtpengine-statistics"],
)  # fmt: skip
def test_gtp_says_that_the_network_is_for_other_boards(tmp_path: Path, line: str) -> None:
    model = write_network(tmp_path / "a.onnx")
    words = [sys.executable, "-m", "gtpengine", "--size", "9", "--visits", "20"]
    run = subprocess.run(
        [*words, "--evaluator", "network", "--model", str(model)], text=True,
        input=f"boardsize 13\n{line}\nquit\n", capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    answers = run.stdout.split("\n\n")
    assert answers[0] == "= "
    assert answers[1] == f"? cannot think: network {model} is for 5..9 lines, got '13'"


def test_the_command_line_refuses_a_bad_network(tmp_path: Path) -> None:
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no network")
    run = subprocess.run(
        [sys.executable, "-m", "gtpengine", "--model", str(bad)],
        text=True, input="", capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith(f"gtpengine: error: network {bad}: not a readable ONNX file")
    assert run.stderr.count("\n") == 1
