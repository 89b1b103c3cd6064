"""One Spark stage per level, with candidates as files in the shared work directory.

A task accepts the candidates for its shard, which gives the new level, writes and checks the level, expands it and
writes candidates for the next stage. Tasks need not run at the same time or communicate, so there may be more shards
than slots, and Spark may repeat or duplicate any of them: each attempt writes files of its own names, and only files
named by the report that the driver accepted are ever read.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from attrs import frozen

from checker.search.block_files import Block, BlockWriter, read_block
from checker.search.spark.alive import Alive, Beacon, Said, alive
from checker.search.spark.job import PIECE, Job, Outbox, forget, shard_at, source_of
from checker.search.spark.shard import Piece, Shard
from checker.search.spark.spent import Spent


@frozen
class Stage:
    """The work of a task: bring its shard to this number of `levels`; accept `candidates` (None: the last level was
    committed before, and only has to be expanded).
    """

    levels: int
    candidates: tuple[Block, ...] | None


@frozen
class StageReport:
    """The result of a task. rows, shown, states: of the new level of its shard, the findings in them with their steps,
    and their files; counters, found, quiescent, candidates: counts and findings of their expansion, files with the
    quiescent ones among them, and with the candidates for the next level; sent, spilled: bytes to other shards, and on
    disk because memory was full; spent: by phase.
    """

    rows: int
    shown: Mapping[int, int]
    states: tuple[Block, ...]
    counters: tuple[int, ...]
    found: Mapping[int, int]
    quiescent: tuple[Block, ...]
    candidates: tuple[Block, ...]
    sent: int
    spilled: int
    spent: Mapping[str, Spent]


def run_stage(job: Job, stage: Stage | None, number: int) -> StageReport | None:
    """The work of shard `number` in a stage; without a stage, prepare for the first."""
    voice = Said(job.exchange, number)
    shard: Shard | None = None
    try:
        voice.say(Alive(number))
        with Beacon(lambda: voice.say(alive(number, shard))):
            if stage is None:
                source_of(job)
                return None
            shard = shard_at(job, number, stage.levels, next_level=stage.candidates is not None)
            return _run(job, stage, shard)
    except BaseException:
        forget(job, number)
        raise
    finally:
        voice.forget()


def _run(job: Job, stage: Stage, shard: Shard) -> StageReport:
    shard.watch.take()
    if stage.candidates is not None and shard.level < stage.levels:
        for block in stage.candidates:
            if block.shard == shard.number:
                _receive(job, shard, block)
        shard.advance()
    # a disk takes its time to be sure of files, so they are written while the search goes on
    with ThreadPoolExecutor(1, "keeper") as keeper:
        kept, shown = None, dict[int, int]()
        if stage.candidates is not None:
            kept = keeper.submit(_keep, job, shard.number, shard.level, list(shard.latest))
            shown = shard.check()
        outbox, ends = Outbox(job, shard), BlockWriter(job.data, f"{shard.level:05}-ends", shard.number)
        counters, found = shard.expand(outbox.send, ends.write)
        with shard.watch("store"):
            candidates, files, quiescent = outbox.close(), () if kept is None else kept.result(), ends.close()
    sent = sum(block.rows for block in candidates) * 8 * shard.source.words
    return StageReport(
        shard.rows,
        shown,
        files,
        tuple(counters.tolist()),
        found,
        quiescent,
        candidates,
        sent,
        shard.spilled,
        shard.watch.take(),
    )


def _receive(job: Job, shard: Shard, block: Block) -> None:
    """Accept a file of candidates, which is mapped into memory only for that."""
    with shard.watch("receive"):
        states = read_block(job.exchange, block, shard.source.words)
    shard.accept(states)


def _keep(job: Job, number: int, level: int, latest: list[Piece]) -> tuple[Block, ...]:
    """Write the states of a shard's latest level."""
    writer = BlockWriter(job.data, f"{level:05}-states", number)
    for piece in latest:
        for states in piece.blocks(PIECE):
            writer.write(states)
    return writer.close()
