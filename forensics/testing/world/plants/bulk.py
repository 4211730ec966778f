"""Transcripts for benchmarks: as large as wanted, their truth counted and not read."""

from __future__ import annotations

from ..bulk import BulkCount, BulkFile
from ..ground import Ground
from ..lines import draw_uuid, format_time, to_ns
from ..naive_keys import key_of
from ..truth import Compaction, CwdRun, FileTruth, SessionTruth, Tokens


def plant_bulk(ground: Ground) -> None:
    """The large transcripts of the recipe stand in the tree; their bytes are made when it is laid out."""
    spec = ground.spec.bulk
    for number in range(spec.files if spec.total_bytes else 0):
        ground.begin("bulk", number)
        place = ground.settle()
        file = BulkFile(
            seed=f"{ground.spec.seed} bulk {number}",
            session_id=draw_uuid(ground.rng),
            cwd=place.root,
            version=ground.pick_version(at_least="2.1.112"),
            start=ground.pick_time(),
            spec=spec,
            n_bytes=spec.total_bytes // spec.files,
        )
        key = key_of(place.root, version=file.version)
        path = f"{place.home}/projects/{key}/{file.session_id}.jsonl"
        count = file.count()
        mtime_ns = to_ns(count.last_time or file.start)
        ground.tree.add_stream(path, file.write, mtime_ns=mtime_ns)
        ground.files.append(
            FileTruth(
                path=path,
                home=place.home,
                project_key=key,
                role="main",
                n_bytes=count.n_bytes,
                n_lines=count.n_lines,
                n_blank=count.n_blank,
                ends_with_newline=True,
                mtime_ns=mtime_ns,
                damage=tuple(count.damage),
            )
        )
        ground.sessions.append(_describe(file, count, path=path, home=place.home, key=key, mtime_ns=mtime_ns))


def _describe(
    file: BulkFile, count: BulkCount, *, path: str, home: str, key: str, mtime_ns: int
) -> SessionTruth:
    input_tokens, cache_creation, cache_read, output = count.tokens
    compactions = tuple(
        Compaction(boundary, summary, "flag", True, "auto", number, "own_file", file.session_id)
        for boundary, summary, number in count.compactions
    )
    after = compactions[-1].summary_line if compactions else None
    n_records = sum(count.types.values())
    run = CwdRun(
        cwd=file.cwd,
        n_lines=count.n_with_cwd,
        first_line=count.first_with_cwd,
        last_line=count.last_with_cwd,
        n_damaged=count.n_damaged_with_cwd,
    )
    return SessionTruth(
        path=path,
        home=home,
        project_key=key,
        role="main",
        session_id=file.session_id,
        session_id_lines=((file.session_id, n_records),),
        agent_versions=(file.version,),
        types=tuple(sorted(count.types.items())),
        cwd_runs=(run,),
        first_cwd=file.cwd,
        last_cwd=file.cwd,
        n_main_lines_without_cwd=n_records - count.n_with_cwd,
        n_sidechain_lines=0,
        human_lines=tuple(count.human_lines),
        n_human_prompts=len(count.human_lines),
        n_message_ids=count.n_message_ids,
        tokens=Tokens(input_tokens, output, cache_creation, cache_read),
        compactions=compactions,
        n_lines_after_compaction=None if after is None else count.n_lines - after,
        n_human_after_compaction=None if after is None else sum(n > after for n in count.human_lines),
        moves=(),
        titles=(),
        first_ts=format_time(count.first_time or file.start),
        last_ts=format_time(count.last_time or file.start),
        mtime_ns=mtime_ns,
        is_pending=False,
        stub_reason=None,
        key_state="first_cwd",
        match_first=True,
        match_last=True,
        match_any=True,
        match_relocated=False,
    )
