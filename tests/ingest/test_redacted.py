"""A redacted case answers as its original does, and holds nothing of what was masked."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.case import Case, open_case
from forensics.errors import CaseError, UsageError
from forensics.ingest.convert import ConvertOptions, convert
from forensics.ingest.masking import NameMasks
from forensics.ingest.redacted import write_redacted
from forensics.ingest.verify import verify
from forensics.keys import encode
from forensics.redaction import Redactor
from forensics.secrets import mask_secrets
from tests.report.conftest import convert_home
from tests.report.homes import line, write_transcript
from tests.test_redaction import NAMED, SECRETS, core
from tests.worlds import lay_out_everything

Pair = tuple[Case, Case, Redactor]


def redact(case: Path, out: Path) -> Redactor:
    with open_case(case) as opened:
        redactor = Redactor.of_case(opened)
    write_redacted(case, out, mask=redactor.mask, mask_word=mask_secrets)
    return redactor


def key_of(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def plant(root: Path, cwds: list[str]) -> Path:
    """One session in each directory, under the key it has."""
    for at, cwd in enumerate(cwds):
        session = f"0d000000-0000-4000-8000-0000000000{at:02d}"
        write_transcript(root, key_of(cwd), session, [line(session, cwd, "hello", minute=at)])
    return root


def all_values(case: Path) -> Iterator[str]:
    """Every text, number and bytes in every file of a case."""
    for path in sorted(case.rglob("*")):
        if path.suffix == ".parquet":
            for column in pq.ParquetFile(path).read().columns:
                for value in column.to_pylist():
                    yield value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        elif path.is_file():
            yield path.read_text("utf-8")
        yield str(path.relative_to(case))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A world with each phenomenon, as it is and redacted."""
    folder = tmp_path_factory.mktemp("world")
    _, case = lay_out_everything(folder)
    redactor = redact(case, folder / "redacted")
    with open_case(case) as one, open_case(folder / "redacted") as other:
        yield one, other, redactor


def counts(case: Case) -> dict[str, tuple[str, int, int | None]]:
    return {
        r.spec.name: (r.status, r.n_rows, r.denominator) for r in case.findings() if "raw" not in r.spec.needs
    }


def test_every_finding_gives_as_many_rows_as_before(world: Pair) -> None:
    original, redacted, _ = world
    assert redacted.absent == original.absent | {"raw"}
    assert counts(redacted) == counts(original)
    assert sum(n > 0 for _, n, _ in counts(redacted).values()) > 20


def in_any_order(rows: list[dict[str, Any]], change: Callable[[str], str]) -> Counter[str]:
    """Rows as a bag with their texts changed; which lines stand for many others follows from ids of files."""

    def walk(value: Any) -> Any:
        if isinstance(value, list):
            return sorted((walk(item) for item in value), key=str)
        return change(value) if isinstance(value, str) else value

    return Counter(str({c: walk(v) for c, v in row.items() if c not in {"row_id", "refs"}}) for row in rows)


def test_the_rows_are_those_of_the_original_with_a_mask_over_them(world: Pair) -> None:
    original, redacted, redactor = world
    n_same = 0
    for one, other in zip(original.findings(), redacted.findings(), strict=True):
        masked = in_any_order(one.rows.to_pylist(), redactor.mask)
        found = in_any_order(other.rows.to_pylist(), str)
        # The end of a long key is a hash of its directory, and that is another one now.
        if one.spec.name != "long_key_prefix":
            missing = {text for text in masked - found if not re.search(r"-[0-9a-z-]{200}", text)}
            assert missing == set(), one.spec.name
        n_same += sum((masked & found).values())
    assert n_same > 300


def test_a_masked_directory_gives_its_masked_key_under_every_rule(world: Pair) -> None:
    _, redacted, _ = world
    rows = redacted.sql("select cwd, spelling, rule, key from cwd_keys").to_pylist()
    assert len(rows) > 500
    assert any("person1" in row["key"] for row in rows if row["key"])
    assert not any("-kit-" in row["key"] for row in rows if row["key"])
    wrong = [
        row for row in rows if row["key"] is not None and row["key"] != encode(row["spelling"], row["rule"])
    ]
    assert wrong == []


def test_a_redacted_case_is_whole_and_says_what_it_is(world: Pair) -> None:
    original, redacted, _ = world
    assert verify(redacted.path) == []
    derived = redacted.manifest["derived"]
    assert derived["kind"] == "redacted"
    assert derived["from_content_sha256"] == original.manifest["content_sha256"]
    assert derived["masks"] > 0
    assert redacted.manifest["as_of"] == original.manifest["as_of"]


def test_no_hash_and_no_id_of_the_original_is_left(world: Pair) -> None:
    original, redacted, _ = world

    def all_of(case: Case, query: str) -> set[Any]:
        return set(case.sql(query).column(0).to_pylist()) - {None}

    hashes = "select line_hash from lines_all"
    assert not all_of(original, hashes) & all_of(redacted, hashes)
    sums = "select sha256 from files_all union select sha256 from with_files"
    assert not all_of(original, sums) & all_of(redacted, sums)
    titles = "select value from marks where ends_with(name, '_hash')"
    texts = all_of(redacted, "select text from text")
    assert len(all_of(redacted, titles)) == len(all_of(original, titles))
    assert texts


def test_equal_lines_stay_equal_and_no_others_become_so(world: Pair) -> None:
    original, redacted, _ = world
    groups = "select count(*) as n from lines group by line_hash"
    query = f"select n, count(*) as c from ({groups}) group by n order by n"
    assert redacted.sql(query).to_pylist() == original.sql(query).to_pylist()


def test_two_redactions_of_one_case_are_the_same_bytes(world: Pair, tmp_path: Path) -> None:
    original, redacted, _ = world
    redact(original.path, tmp_path / "again")
    assert (tmp_path / "again" / "SHA256SUMS").read_bytes() == (redacted.path / "SHA256SUMS").read_bytes()


def test_an_altered_file_is_noticed(tmp_path: Path) -> None:
    case = convert_home(plant(tmp_path / "home", ["/home/kit/x"]), tmp_path / "case")
    redact(case, tmp_path / "redacted")
    cwds = tmp_path / "redacted" / "cwds.parquet"
    cwds.write_bytes(cwds.read_bytes().replace(b"person1", b"person9"))
    assert [fault.where for fault in verify(tmp_path / "redacted")] == ["cwds.parquet"]


def test_an_altered_original_is_not_redacted(tmp_path: Path) -> None:
    case = convert_home(plant(tmp_path / "home", ["/home/kit/x"]), tmp_path / "case")
    part = next((case / "text").glob("*.parquet"))
    part.write_bytes(part.read_bytes() + b"\n")
    with pytest.raises(CaseError, match="altered"):
        write_redacted(case, tmp_path / "redacted", mask=str, mask_word=str)
    assert not (tmp_path / "redacted").exists()


def test_nothing_is_taken_into_a_redacted_case_and_no_root_is_held_against_it(tmp_path: Path) -> None:
    home = plant(tmp_path / "home", ["/home/kit/x"])
    out = tmp_path / "redacted"
    redact(convert_home(home, tmp_path / "case"), out)
    before = (out / "SHA256SUMS").read_bytes()
    with pytest.raises(UsageError, match="takes in no evidence"):
        convert([f"home={home}"], out, options=ConvertOptions(raw=False, workers=1))
    with pytest.raises(UsageError, match="cannot be compared"):
        verify(out, roots={"home": home})
    assert (out / "SHA256SUMS").read_bytes() == before
    with open_case(out) as case, pytest.raises(CaseError, match="holds no bytes"):
        case.show(f"home/{case.sql('select path from files').column(0)[0].as_py()}#L1", roots={"home": home})


def test_a_case_of_evidence_is_never_written_over(tmp_path: Path) -> None:
    case = convert_home(plant(tmp_path / "home", ["/home/kit/x"]), tmp_path / "case")
    other = convert_home(plant(tmp_path / "home2", ["/home/kit/y"]), tmp_path / "other")
    for place in (case, case / "inside", other, tmp_path / "home"):
        with pytest.raises(UsageError):
            redact(case, place)
    assert verify(case) == []
    assert verify(other) == []


def leaky_home(root: Path) -> Path:
    """Each secret as a directory, prose, branch, title, type, id, tool and file, and in a damaged line."""
    everything = [
        *SECRETS.values(),
        *NAMED.values(),
        "mail jane.doe@example.org",
        "ssh kitty@box",
        "10.1.2.3",
    ]
    for at, text in enumerate(everything):
        session = f"0d000000-0000-4000-8000-0000000000{at:02d}"
        cwd = f"/home/kitty/{at}/{text}".replace("\n", " ")
        said = json.loads(line(session, cwd, text, minute=at))
        calls = [{"type": "tool_use", "id": text, "name": text, "input": {"file_path": f"{cwd}/x"}}]
        records = [
            {**said, "gitBranch": text, "version": text, "requestId": text},
            {**said, "type": "assistant", "message": {"id": text, "model": text, "content": calls}},
            {"type": "custom-title", "customTitle": text, "sessionId": session},
            {"type": "relocated", "relocatedCwd": f"/home/rosa/{text}", "sessionId": session},
            {"type": text, "subtype": text, "sessionId": text, "uuid": text, "cwd": f"/home/otto/{at}"},
            {"type": "summary", "summary": "asked in /home/emil/notes", "leafUuid": text},
        ]
        lines = [json.dumps(record).encode() for record in records]
        write_transcript(
            root, key_of(cwd)[:150], session, [*lines, json.dumps({"broken": text}).encode()[1:]]
        )
    return root


def test_nothing_planted_is_in_any_file_of_a_redacted_case(tmp_path: Path) -> None:
    case = convert_home(leaky_home(tmp_path / "home"), tmp_path / "case", label="kitty-home")
    redactor = redact(case, tmp_path / "redacted")
    assert redactor.users == ("kitty", "otto", "rosa")
    seen = "\n".join(all_values(case))
    assert len(set(core.findall(seen))) == 5
    kept = list(all_values(tmp_path / "redacted"))
    text = "\n".join(kept)
    assert len(kept) > 1000
    assert core.findall(text) == []
    assert re.findall(r"kitty|jane\.doe|example\.org|otto|rosa|emil|10\.1\.2\.3", text) == []
    assert verify(tmp_path / "redacted") == []
    with open_case(case) as one, open_case(tmp_path / "redacted") as other:
        assert counts(other) == counts(one)


TRICKY = {
    "users whose names encode alike": ["/home/jane.doe/x", "/home/jane-doe/x"],
    "a user in two spellings": ["/Users/Kit/x.y", "/Users/kit/x.y", "/Users/kit/x-y"],
    "mail addresses as folders": ["/srv/a@one.org/x.y", "/srv/b@two.org/x.y", "/srv/b@two.org/x-y"],
    "a person who is called like a mask": [
        "/home/person1/x",
        "/home/anna/x",
        "/home/anna/x/y",
        "/home/anna/x-y",
    ],
    "a drive and where it is mounted": ["C:\\Users\\Jane Doe\\x", "/mnt/c/Users/Jane Doe/x"],
    "a share": ["\\\\FileServ\\team\\x", "\\\\fileserv\\team\\x", "/srv/fileserv/x"],
    "a user called like a common word": ["/home/dev/x", "/srv/dev/x", "/home/assistant/x", "/home/user/x"],
    "homes below a mail address": ["/srv/a@one.org", "/srv/b@two.org/home/home", "/srv/b@two.org/home/x/y"],
    "below a worktree": [
        "/home/kit/r",
        "/home/kit/r/.claude/worktrees/kit",
        "/home/kit/r/.claude/worktrees/kit/s",
    ],
}


@pytest.mark.parametrize("cwds", TRICKY.values(), ids=TRICKY)
def test_directories_that_a_mask_could_mix_up_stay_apart(cwds: list[str], tmp_path: Path) -> None:
    case = convert_home(plant(tmp_path / "home", cwds), tmp_path / "case")
    redact(case, tmp_path / "redacted")
    assert verify(tmp_path / "redacted") == []
    with open_case(case) as one, open_case(tmp_path / "redacted") as other:
        assert counts(other) == counts(one)
        for query in (
            "select count(*) as n, count(distinct cwd) as d, count(distinct canonical_guess) as c from cwds",
            "select count(*) as n, count(distinct project_key) as d from keys",
        ):
            assert other.sql(query).to_pylist() == one.sql(query).to_pylist()


folders = st.sampled_from(
    ["kit", "Kit", "home", "a@one.org", "b@two.org", "[mail]", "person1", "x", "~2", "[mail]~2"]
)
some_paths = st.lists(
    st.lists(folders, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts)), max_size=8
)


@example(["/a@one.org", "/b@two.org/home/home"])
@example(["/home/home", "/home/x/y", "/home/x"])
@example(["/a@one.org", "/b@two.org/whsec_Abc1/Def2ghi", "/b@two.org/x"])
@example(["/a@one.org", "/b@two.org/AKIAQ7T3M5X2C9V4B8N6/x", "/b@two.org/AKIAQ7T3M5X2C9V4B8N6"])
@given(some_paths)
def test_masked_paths_are_as_many_and_lie_below_each_other_as_before(paths: list[str]) -> None:
    masks = NameMasks(Redactor.of_names(users=["kit"]).mask, mask_word=mask_secrets)
    masked = {path: masks.path(path) for path in paths}
    assert len(set(masked.values())) == len(set(paths))
    for one in paths:
        assert masked[one] == masks.path(one)
        for other in paths:
            assert masked[one].startswith(f"{masked[other]}/") == one.startswith(f"{other}/")
