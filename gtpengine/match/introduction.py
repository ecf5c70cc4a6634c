"""Meet an engine before the match: what it is called, and whether it can take part."""

from dataclasses import dataclass

from gtpengine.match.controller import START_TIMEOUT, Bench, EngineSpec, quoted
from gtpengine.match.faults import EngineFailure
from gtpengine.match.game import GameSettings, setup_commands

PLAYER_COMMANDS = frozenset({"boardsize", "clear_board", "komi", "play", "genmove"})
REFEREE_COMMANDS = PLAYER_COMMANDS - {"genmove"} | {"final_score"}


@dataclass(frozen=True)
class Introduction:
    """What came out of it."""

    title: str  # name and version, as the engine gives them
    remarks: tuple[str, ...]  # what it cannot do, though the match goes on without


def introduce(spec: EngineSpec, needed: frozenset[str], settings: GameSettings) -> Introduction:
    """Start an engine, set it up as for a game, and let it go again.

    Raises EngineFailure if it cannot be started, does not list a command that is ``needed``, or
    refuses size or komi: better now than as a lost game each.
    """
    with Bench() as bench:
        engine = bench.engine(spec)
        if missing := sorted(needed - engine.commands):
            text = f"does not list {', '.join(missing)}"
            raise EngineFailure(spec.name, "refusal", text)
        answers = [engine.send(word, START_TIMEOUT) for word in ("name", "version")]
        must, may = setup_commands(settings, engine.commands)
        for command in must:
            engine.demand(command, START_TIMEOUT)
        remarks = []
        for command in may:
            answer = engine.send(command, START_TIMEOUT)
            if not answer.ok:
                remarks.append(f"answers '{command}' by {quoted('? ' + answer.text)}")
        sent = {command.split()[0] for command in may}
        if not sent & {"kata-set-rules", "kgs-rules"}:
            remarks.append("lists no command to set rules: its command line must do that")
        if settings.time is not None and "time_settings" not in sent:
            remarks.append("does not list time_settings: it plays without knowing its clock")
        if "final_score" not in engine.commands:
            remarks.append("does not list final_score")
    title = " ".join(answer.text for answer in answers if answer.ok)
    return Introduction(title, tuple(remarks))
