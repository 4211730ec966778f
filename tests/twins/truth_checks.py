"""What the findings of a world must say, by what was planted in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from forensics.case import Case
from forensics.results import FindingResult
from forensics.testing.world import Truth
from forensics.testing.world.truth import WorktreeKey

Row = dict[str, Any]


class Label:
    """What a case says about one of its labels; each finding is asked once."""

    def __init__(self, case: Case, label: str, results: Mapping[str, FindingResult]) -> None:
        self.case = case
        self.label = label
        self.results = results

    def rows(self, finding: str) -> list[Row]:
        """The rows of a finding under this label."""
        return [row for row in self.results[finding].rows.to_pylist() if row["label"] == self.label]

    def table(self, query: str) -> list[Row]:
        """The rows of a query, in which `$label` stands for this label."""
        return list(self.case.sql(query, {"label": self.label}).to_pylist())


def look_at(case: Case) -> Callable[[str], Label]:
    """What gives the view of a label; all findings are asked now."""
    results = {result.spec.name: result for result in case.findings()}
    return lambda label: Label(case, label, results)


Check = Callable[[Truth, Label], tuple[set[Any], set[Any]]]

CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Register a comparison: planted things against what was found."""
    CHECKS[function.__name__] = function
    return function


@check
def collisions(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (c.home, c.project_key, tuple(sorted(c.cwds)), c.cause)
        for c in truth.collisions
        if c.kind in {"two_directories", "inherited"}
    }
    found = {
        (r["home"], r["project_key"], tuple(sorted(r["directories"])), r["class"])
        for r in seen.rows("encoding_collision")
    }
    return planted, found


@check
def contaminated(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {path for c in truth.collisions if c.kind == "contaminated" for path in c.paths}
    return planted, {r["path"] for r in seen.rows("contaminated_session")}


@check
def inherited(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(c.home, c.project_key) for c in truth.collisions if c.kind == "inherited"}
    rows = seen.rows("inherited_key")
    return planted, {(r["home"], r["project_key"]) for r in rows}


@check
def long_prefixes(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    groups: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for session in truth.sessions:
        if session.role == "main" and len(session.project_key) > 200 and session.first_cwd is not None:
            group = groups.setdefault((session.home, session.project_key[:200]), set())
            group.add((session.project_key, session.first_cwd))
    planted = {
        (*place, tuple(sorted({cwd for _, cwd in group})))
        for place, group in groups.items()
        if len({key for key, _ in group}) > 1 and len({cwd for _, cwd in group}) > 1
    }
    assert {(p.home, p.project_keys[0][:200]) for p in truth.long_prefixes} <= {each[:2] for each in planted}
    rows = seen.rows("long_key_prefix")
    return planted, {(r["home"], r["prefix_200"], tuple(sorted(set(r["directories"])))) for r in rows}


def repo_root_of(key: WorktreeKey) -> str | None:
    """The repository, where evidence or probe can know it: the path of a removed one may not say."""
    return None if key.pattern == "conductor" and key.state == "removed" else key.repo_root


@check
def worktree_keys(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (w.home, w.project_key, w.worktree, w.n_sessions, w.is_one_session, repo_root_of(w))
        for w in truth.worktree_keys
    }
    rows = seen.table(
        "select k.home, k.project_key, k.worktree, k.n_sessions, k.is_one_session, w.repo_root_guess"
        " from worktree_keys as k inner join worktrees as w using (label, worktree) where label = $label",
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def orphaned(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(w.home, w.project_key) for w in truth.worktree_keys if w.state == "removed"}
    rows = [r for r in seen.rows("orphaned_worktree_key") if r["state"] == "gone"]
    return planted, {(r["home"], r["project_key"]) for r in rows}


@check
def aliases(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(a.home, a.cause, tuple(sorted(a.project_keys))) for a in truth.aliases}
    found = {(r["home"], r["cause"], tuple(r["keys"])) for r in seen.rows("aliased_key")}
    return planted, found


@check
def odd_keys(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    kinds = {"named": "named", "foreign_rule": "foreign", "other_sessions": "misfiled", "unknown": "misfiled"}
    planted = {(o.home, o.project_key, o.kind) for o in truth.odd_keys}
    rows = seen.rows("session_outside_key")
    homes = {r["path"]: r["home"] for r in seen.table("select path, home from sessions where label = $label")}
    return planted, {(homes[r["path"]], r["project_key"], kinds.get(r["reason"], r["reason"])) for r in rows}


@check
def duplicates(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (
            d.relation,
            *((d.path, d.other_path) if d.relation in {"prefix", "stub"} else sorted((d.path, d.other_path))),
        )
        for d in truth.duplicates
        if d.relation != "home_copy"
    }
    found = {(r["relation"], r["path"], r["other_path"]) for r in seen.rows("duplicate_session")}
    return planted, found


@check
def home_copies(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    mains = {r["path"] for r in seen.table("select path from sessions where label = $label")}
    copies: dict[str, set[str]] = {}
    for one in truth.duplicates:
        if one.relation == "home_copy" and one.path in mains:
            group = copies.get(one.other_path, {one.other_path}) | copies.get(one.path, {one.path})
            copies |= dict.fromkeys(group, group)
    planted = {pair for group in copies.values() for pair in combinations(sorted(group), 2)}
    rows = seen.table(
        "select a.path, b.path as other from session_copies as c"
        " inner join transcripts as a on c.file_id = a.file_id"
        " inner join transcripts as b on c.other_file_id = b.file_id"
        " where c.is_home_copy and c.relation = 'equal' and a.folder = b.folder and a.label = $label",
    )
    return planted, {tuple(sorted((r["path"], r["other"]))) for r in rows}


@check
def summaries(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    names = {"own": "own_file", "other": "other_file", "nowhere": "nowhere"}
    planted = {(s.path, s.line_no, s.leaf_uuid, names[s.leaf_in]) for s in truth.summary_lines}
    rows = seen.table(
        "select f.path, s.line_no, s.leaf_uuid, s.stands_in from summary_leaves as s"
        " inner join files as f using (file_id, generation) where f.label = $label",
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def absences(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(a.kind, a.path, a.missing) for a in truth.absences}
    found = {
        (r["kind"], r["path"], r["missing"])
        for r in seen.rows("absent_evidence")
        if r["kind"] == "indexed_session"
    }
    found |= {("parent_session", r["path"], r["session_id"]) for r in seen.rows("orphan_subagent")}
    found |= {("relocated_target", r["path"], r["relocated_cwd"]) for r in seen.rows("relocated_to_missing")}
    return planted, found


@check
def stubs(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(s.path, s.stub_reason) for s in truth.sessions if s.stub_reason is not None}
    return planted, {(r["path"], r["stub_reason"]) for r in seen.rows("session_stub")}


@check
def runs(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, number, run.cwd): (run.n_lines, run.n_lines + run.n_damaged)
        for s in truth.sessions
        if s.role == "main"
        for number, run in enumerate(s.cwd_runs, 1)
    }
    rows = seen.table(
        "select t.path, r.run_no, r.cwd, r.n_lines - r.n_salvaged as n_whole from cwd_runs as r"
        " inner join transcripts as t using (file_id, generation)"
        " where r.chain = 'main' and t.project_key is not null and t.label = $label",
    )
    found = {(r["path"], r["run_no"], r["cwd"]): r["n_whole"] for r in rows}
    # Of a damaged line the truth only knows that it is no whole record.
    near = {
        (*key, planted[key][0] if key in planted and planted[key][0] <= n <= planted[key][1] else n)
        for key, n in found.items()
    }
    return {(*key, low) for key, (low, _) in planted.items()}, near


@check
def matches(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, s.match_first, s.match_last, s.match_any, s.match_relocated)
        for s in truth.sessions
        if s.role == "main" and s.cwd_runs
    }
    rows = seen.table(
        "select s.path, m.match_first, m.match_last, m.match_any, m.match_relocated from key_matches as m"
        " inner join sessions as s using (file_id, generation) where s.label = $label",
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def compactions(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, c.boundary_line, c.summary_line, c.witness, c.is_paired, c.trigger, c.pre_tokens)
        for s in truth.sessions
        for c in s.compactions
    }
    rows = seen.table(
        "select t.path, c.boundary_line_no, c.summary_line_no, c.witness, c.is_paired, c.trigger,"
        " c.pre_tokens from compactions as c inner join transcripts as t using (file_id, generation)"
        " where t.label = $label",
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def tails(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, s.n_lines_after_compaction, s.n_human_after_compaction)
        for s in truth.sessions
        if s.role == "main" and s.n_lines_after_compaction is not None
    }
    rows = seen.rows("uncovered_tail")
    return planted, {(r["path"], r["n_lines_after"], r["n_human_after"]) for r in rows}


@check
def several_ids(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, tuple(sorted(s.session_id_lines)))
        for s in truth.sessions
        if s.role == "main" and {name for name, _ in s.session_id_lines} - {s.session_id}
    }
    rows = seen.rows("mixed_session_ids")
    found = {(r["path"], tuple(sorted(zip(r["session_ids"], r["records_by_id"], strict=True)))) for r in rows}
    return planted, found


@check
def facts(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (s.path, s.first_cwd, s.last_cwd, s.n_human_prompts) for s in truth.sessions if s.role == "main"
    }
    rows = seen.table(
        "select path, first_cwd, last_cwd, n_human from sessions"
        " where project_key is not null and label = $label",
    )
    return planted, {tuple(row.values()) for row in rows}


Wrong = Mapping[str, tuple[list[Any], list[Any]]]


def differences(truth: Truth, seen: Label) -> Wrong:
    """For each comparison that fails: what was planted and not found, and what was found and not planted."""
    wrong = {}
    for name, function in CHECKS.items():
        planted, found = function(truth, seen)
        if planted != found:
            wrong[name] = (sorted(planted - found, key=str), sorted(found - planted, key=str))
    return wrong
