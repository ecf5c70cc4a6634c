"""Put the results of a match into words: a line while it runs, a report at its end."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from gtpengine.match.controller import EngineSpec
from gtpengine.match.faults import MEANING
from gtpengine.match.game import GameRecord
from gtpengine.match.schedule import MatchUp
from gtpengine.match.statistics import (
    Sprt,
    between,
    elo_of,
    n_copies,
    pair_scores,
    score_of,
    wilson,
)

N_EXPLAINED = 5  # faults of one engine and kind that the report explains


def format_elo(elo: float) -> str:
    """Signed, without decimals; infinite differences as ``+inf``."""
    return f"{elo:+.0f}" if math.isfinite(elo) else f"{elo:+}"


def strength(name: str, records: Sequence[GameRecord]) -> str:
    """Win rate and Elo difference of an engine in its games, each with its 95 % interval."""
    score = score_of(name, records)
    low, high = wilson(score.points, score.games)
    return (
        f"{100 * score.rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}], "
        f"Elo {format_elo(elo_of(score.rate))} [{format_elo(elo_of(low))}, "
        f"{format_elo(elo_of(high))}]"
    )


def format_sprt(sprt: Sprt, scores: Sequence[float]) -> str:
    low, high = sprt.bounds
    return f"LLR {sprt.log_likelihood_ratio(scores):.2f} ({low:.2f}, {high:.2f})"


def summary(names: Sequence[str], records: Sequence[GameRecord], sprt: Sprt | None) -> str:
    """How the match stands, on one line."""
    if len(names) == 2:
        a, b = (score_of(name, records) for name in names)
        parts = [f"{names[0]} {a.points:g} : {b.points:g} {names[1]}", strength(names[0], records)]
    else:
        parts = []
        for name in names:
            own = [record for record in records if name in (record.black, record.white)]
            score = score_of(name, own)
            parts.append(f"{name} {score.points:g}/{score.games}")
    if sprt is not None:
        parts.append(format_sprt(sprt, pair_scores(names[0], records)))
    n_faults = sum(len(record.faults) for record in records)
    parts.append(f"{n_faults} fault{'' if n_faults == 1 else 's'}")
    return ", ".join(parts)


def one_game(record: GameRecord) -> str:
    """A finished game on one line."""
    how = ", ".join(fault.kind for fault in record.faults if fault.lost) or record.ended
    return (
        f"game {record.number}: {record.black} - {record.white} {record.result} "
        f"({how}, {len(record.moves)} moves, {record.seconds:.1f} s)"
    )


def report(
    engines: Sequence[EngineSpec],
    titles: Mapping[str, str],
    pairs: Sequence[MatchUp],
    records: Sequence[GameRecord],
    sprt: Sprt | None,
) -> str:
    """Everything a reader needs to judge the match, without the conditions of play."""
    names = [spec.name for spec in engines]
    width = max(map(len, names))
    lines = []
    for spec in engines:
        title = f"{titles[spec.name]}: " if titles.get(spec.name) else ""
        lines.append(f"{spec.name:{width}}  {title}{' '.join(spec.command)}")
    lines.append("")
    if len(pairs) > 1:
        lines += [*crosstable(names, records), ""]
    for a, b in pairs:
        lines += [*head_to_head(a.name, b.name, between(a.name, b.name, records)), ""]
    if sprt is not None:
        scores = pair_scores(names[0], records)
        lines += [sprt_line(sprt, scores), ""]
    if copies := n_copies(records):
        lines += [f"{copies} games repeat another one move for move: they prove nothing.", ""]
    lines += [*speed(names, records), "", *faults(records)]
    return "\n".join(lines)


def head_to_head(a: str, b: str, records: Sequence[GameRecord]) -> list[str]:
    """Results of two engines, and by color: the engine's points there out of its games."""
    if not records:
        return [f"{a} against {b}: no game yet"]
    sides = []
    for color in ("black", "white"):
        own = [record for record in records if getattr(record, color) == a]
        sides.append(f"{score_of(a, own).points:g}/{len(own)} as {color.capitalize()}")
    ends = Counter(record.ended for record in records)
    return [
        f"{a} against {b}: {len(records)} games, {score_of(a, records)} ({', '.join(sides)})",
        f"  {strength(a, records)}   (a draw is half a win; 95 % intervals after Wilson)",
        "  ended by " + ", ".join(f"{end} {n}" for end, n in ends.most_common()),
    ]


def crosstable(names: Sequence[str], records: Sequence[GameRecord]) -> list[str]:
    """Points of each row's engine against each column's, and in all; the best first."""
    own = {
        name: score_of(name, [r for r in records if name in (r.black, r.white)]) for name in names
    }
    order = sorted(names, key=lambda name: -own[name].rate)
    rows = [["", *order, "points", "rate"]]
    for a in order:
        cells = [a]
        for b in order:
            score = score_of(a, between(a, b, records)) if a != b else None
            cells.append(f"{score.points:g}/{score.games}" if score and score.games else "-")
        rate = f"{100 * own[a].rate:.1f} %"
        rows.append([*cells, f"{own[a].points:g}/{own[a].games}", rate])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def sprt_line(sprt: Sprt, scores: Sequence[float]) -> str:
    verdict = {
        "elo0": f"accepted: not stronger than {sprt.elo0:+g} Elo",
        "elo1": f"accepted: at least {sprt.elo1:+g} Elo stronger",
        "": "undecided",
    }[sprt.verdict(scores)]
    test = f"SPRT {sprt.elo0:g} against {sprt.elo1:g}, alpha {sprt.alpha:g}, beta {sprt.beta:g}"
    return f"{test}: {verdict}; {len(scores)} pairs, {format_sprt(sprt, scores)}"


def speed(names: Sequence[str], records: Sequence[GameRecord]) -> list[str]:
    """Seconds a move of each engine, as the referee measured them."""
    width = max(map(len, names))
    lines = ["seconds a move"]
    for name in names:
        times = [
            move.seconds
            for record in records
            for move in record.moves
            if move.seconds is not None
            and name == (record.black if move.color == "b" else record.white)
        ]
        if times:
            mean, longest = sum(times) / len(times), max(times)
            lines.append(
                f"  {name:{width}}  mean {mean:.3f}, longest {longest:.3f}, {len(times)} moves"
            )
    return lines


def faults(records: Sequence[GameRecord]) -> list[str]:
    """Faults by engine and kind, each kind with its first explanations."""
    by_kind: dict[tuple[str, str], list[str]] = {}
    n_lost: Counter[tuple[str, str]] = Counter()
    for record in sorted(records, key=lambda record: record.number):
        for fault in record.faults:
            key = (fault.engine, fault.kind)
            where = f"game {record.number}, move {fault.move}: {fault.text}"
            by_kind.setdefault(key, []).append(where)
            n_lost[key] += fault.lost
    if not by_kind:
        return [f"faults: none in {len(records)} games"]
    lines = ["faults"]
    meaning = {str(kind): text for kind, text in MEANING.items()}
    for (engine, kind), texts in sorted(by_kind.items()):
        lost = f", {n_lost[engine, kind]} games lost by it" if n_lost[engine, kind] else ""
        lines.append(f"  {engine}: {kind} {len(texts)}{lost} ({meaning[kind]})")
        lines += [f"    {text}" for text in texts[:N_EXPLAINED]]
        if len(texts) > N_EXPLAINED:
            lines.append(f"    and {len(texts) - N_EXPLAINED} more in games.jsonl")
    return lines
