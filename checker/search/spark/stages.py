"""One Spark stage per level, candidates as files on the shared work directory.

A task accepts the candidates addressed to its shard, which gives the new level, writes and checks it, expands it and
writes candidates for the next stage. Tasks need not run at the same time or talk to each other, so there may be more
shards than slots, and Spark may repeat or duplicate any of them: files have names of their own, and only those named by
the report that the driver took are ever read.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from checker.search.spark.alive import Alive, Beacon, Said, alive
from checker.search.spark.job import Expansion, Job, Keeper, Outbox, Report, ends_of, forget, load_source, shard_at
from checker.search.spark.shard import Shard
from checker.search.workdir import Block, read_block


@frozen
class Stage:
    """What a task is to do: bring its shard to that many `levels`; accept `candidates` (None: the last level was
    committed before, and is only to be expanded)."""

    levels: int
    candidates: tuple[Block, ...] | None


@frozen
class StageReport(Report):
    """What a task did. files: the new level of its shard, and the quiescent states in it; candidates: for the next
    level."""

    candidates: tuple[Block, ...]


def run_stage(job: Job, stage: Stage | None, number: int) -> StageReport | None:
    """The work of shard `number` in a stage; without one, get ready for the first."""
    voice = Said(job.exchange, number)
    shard: Shard | None = None
    try:
        voice.say(Alive(number))
        with Beacon(lambda: voice.say(alive(number, shard))):
            if stage is None:
                load_source(job)
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
                with shard.watch("receive"):
                    states = read_block(job.exchange, block, shard.source.words)
                shard.accept(states)
        shard.advance()
    with Keeper(job) as keeper:
        shown: Mapping[int, int] = {}
        if stage.candidates is not None:
            keeper.keep(shard, None)
            shown = shard.check()
        outbox, ends = Outbox(job, shard), ends_of(job, shard)
        expansion = Expansion.of(*shard.expand(outbox.send, ends.write))
        with shard.watch("store"):
            candidates = outbox.close()
            files = evolve(keeper.kept(), quiescent=ends.close())
    sent = sum(block.rows for block in candidates) * 8 * shard.source.words
    return StageReport.of(shard, shown, expansion, files, sent, candidates)
