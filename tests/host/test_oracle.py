"""The harness that asks real tools, tried on small programs of our own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tarfile
import textwrap
from pathlib import Path

import pytest

from forensics.errors import NothingThereError, UsageError
from forensics.host.awkward import awkward_directories
from forensics.host.bounded import run_bounded
from forensics.host.oracle import OracleRow, OracleRun, ask_cli, ask_javascript, ask_sdk
from forensics.keys import Rule, Ruleset, encode, load_rules

PROGRAM = """\
#!{python}
import json, os, re, sys, urllib.request
from pathlib import Path

VERSION = {version!r}
if "--version" in sys.argv:
    print(VERSION, "(Pretend Code)")
    sys.exit(0)

def units(text):
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] + 256 * data[i + 1] for i in range(0, len(data), 2)]

def key(path):
    name = "".join(chr(u) if u < 128 and chr(u).isalnum() else "-" for u in units(path))
    if len(name) <= 200:
        return name
    h = 0
    for unit in units(path):
        h = (h * 31 + unit) % 2**32
    h = abs(h - 2**32 if h >= 2**31 else h)
    digits = ""
    while h or not digits:
        h, digit = divmod(h, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return name[:200] + "-" + digits

def answer():
    body = json.dumps({{"model": "m", "stream": True}}).encode()
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=20) as response:
        return response.read().decode()

def keep(folder):
    place = Path(os.environ["CLAUDE_CONFIG_DIR"], "projects", folder)
    place.mkdir(parents=True, exist_ok=True)
    line = {{"type": "user", "cwd": os.getcwd(), "env": dict(os.environ)}}
    (place / "0f0f.jsonl").write_text(json.dumps(line))

assert "PONG" in answer()
{body}
"""

BY_THE_RULE = "keep(key(os.getcwd()))"
BETWEEN = "1.5.0"
ERAS = Ruleset(
    tuple(
        Rule(
            name=name,
            agent="claude_code",
            first=version,
            last=version,
            normal_form=form,
            limit=200,
            hash="int32",
        )
        for name, version, form in (("without_form", "1.0.0", "none"), ("with_form", "2.0.0", "nfc"))
    ),
    version="1",
    digest="0",
)
FEW = ("plain", "dot", "emoji", "200 units", "201 units")


def make_program(folder: Path, body: str, *, version: str = "2.1.332") -> Path:
    program = folder / "pretend"
    text = PROGRAM.format(python=sys.executable, version=version, body=textwrap.dedent(body))
    program.write_text(text)
    program.chmod(0o755)
    return program


def by_case(run: OracleRun) -> dict[str, OracleRow]:
    return {row.case: row for row in run.rows}


def test_a_program_that_follows_the_rule_agrees_in_every_directory(tmp_path: Path) -> None:
    run = ask_cli(make_program(tmp_path, BY_THE_RULE), isolation="none")
    assert [row.case for row in run.rows] == [each.case for each in awkward_directories("/srv/w")]
    assert (run.version, run.runtime, run.isolation) == ("2.1.332", "native", "none")
    assert [row for row in run.rows if row.agree is not True] == []
    assert run.holds is True
    assert {row.rule for row in run.rows} == {"cli_e3"}
    assert {row.basis for row in run.rows} == {"observed"}
    assert by_case(run)["emoji"].observed is not None
    assert str(by_case(run)["emoji"].observed).endswith("-w-x--y")


def test_a_program_with_another_rule_disagrees_where_the_rules_differ(tmp_path: Path) -> None:
    body = 'keep(os.getcwd().replace("/", "-"))'
    run = ask_cli(make_program(tmp_path, body), isolation="none", cases=("dash", "dot", "case"))
    rows = by_case(run)
    temporary_has_underscore = "_" in rows["dash"].path
    assert rows["dot"].agree is False
    assert str(rows["dot"].observed).endswith("-w-a.b")
    assert str(rows["dot"].predicted).endswith("-w-a-b")
    assert rows["dash"].agree is not temporary_has_underscore
    assert run.holds is False


def test_a_newer_program_is_compared_with_the_newest_rule_and_says_so(tmp_path: Path) -> None:
    run = ask_cli(make_program(tmp_path, BY_THE_RULE, version="9.0.1"), isolation="none", cases=FEW)
    assert {(row.rule, row.basis) for row in run.rows} == {("cli_e3", "beyond_observed")}
    assert run.holds is True


def test_between_two_eras_one_rule_must_explain_every_directory(tmp_path: Path) -> None:
    steady = """\
        import unicodedata
        keep(key(unicodedata.normalize("NFC", os.getcwd())))
    """
    run = ask_cli(
        make_program(tmp_path, steady, version=BETWEEN), isolation="none", cases=("nfc", "nfd"), ruleset=ERAS
    )
    assert {(row.rule, row.basis) for row in run.rows} == {("with_form", "interpolated")}
    assert run.holds is True
    fickle = """\
        import unicodedata
        here = os.getcwd()
        keep(key(here if here.endswith("x") else unicodedata.normalize("NFC", here)))
    """
    run = ask_cli(
        make_program(tmp_path, fickle, version=BETWEEN),
        isolation="none",
        cases=("nfd", "long, nfd"),
        ruleset=ERAS,
    )
    assert len({row.rule for row in run.rows}) == 1
    assert sorted(row.agree is True for row in run.rows) == [False, True]


def test_no_folder_decides_nothing(tmp_path: Path) -> None:
    run = ask_cli(make_program(tmp_path, "print('gave up'); sys.exit(7)"), isolation="none", cases=("plain",))
    (row,) = run.rows
    assert row.agree is None
    assert row.observed is None
    assert "exit 7" in row.note
    assert "1 requests" in row.note
    assert "gave up" in row.note
    assert run.holds is None
    assert (run.n_agree, run.n_disagree, run.n_undecided) == (0, 0, 1)


def test_no_folder_agrees_where_the_name_would_be_too_long_for_one(tmp_path: Path) -> None:
    run = ask_cli(
        make_program(tmp_path, "pass", version="2.0.77"), isolation="none", cases=("260 units", "dot")
    )
    rows = by_case(run)
    assert rows["260 units"].agree is True
    assert rows["260 units"].observed is None
    assert len(str(rows["260 units"].predicted)) == 260
    assert rows["dot"].agree is None


def test_several_folders_disagree(tmp_path: Path) -> None:
    body = "keep(key(os.getcwd()))\nkeep('-elsewhere')"
    run = ask_cli(make_program(tmp_path, body), isolation="none", cases=("plain",))
    assert run.rows[0].agree is False
    assert "several folders" in run.rows[0].note


def test_a_program_that_hangs_is_ended_and_decides_nothing(tmp_path: Path) -> None:
    program = make_program(tmp_path, "import time; time.sleep(600)")
    run = ask_cli(program, isolation="none", cases=("plain",), seconds=3)
    assert run.rows[0].agree is None
    assert "time" in run.rows[0].note


def test_the_program_sees_a_home_and_an_environment_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-for-others")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.org")
    seen = tmp_path / "seen.json"
    body = f"keep(key(os.getcwd()))\nPath({str(seen)!r}).write_text(json.dumps(dict(os.environ)))"
    ask_cli(make_program(tmp_path, body), isolation="none", cases=("plain",))
    environment = json.loads(seen.read_text())
    assert "not-for-others" not in environment.values()
    assert "HTTPS_PROXY" not in environment
    assert environment["HOME"] != os.environ["HOME"]
    assert environment["CLAUDE_CONFIG_DIR"].startswith(environment["HOME"])
    assert not Path(environment["HOME"]).exists()
    assert environment["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")


def namespaces_are_permitted() -> bool:
    words = (["unshare", "--net", "true"], ["unshare", "--user", "--map-root-user", "--net", "true"])
    return any(run_bounded(each, seconds=10).is_success for each in words)


@pytest.mark.skipif(not namespaces_are_permitted(), reason="no network namespace can be made here")
def test_inside_the_namespace_no_server_of_this_machine_is_in_reach(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        body = f"""\
        import socket
        try:
            socket.create_connection(("127.0.0.1", {port}), timeout=5)
            keep("-reached")
        except OSError:
            keep(key(os.getcwd()))
        """
        program = make_program(tmp_path, body)
        inside = ask_cli(program, cases=("plain",))
        outside = ask_cli(program, cases=("plain",), isolation="none")
    assert inside.isolation == "namespace"
    assert inside.rows[0].agree is True
    assert outside.rows[0].observed == "-reached"


def test_without_a_namespace_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = tmp_path / "ran"
    program = make_program(tmp_path, "pass")
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\necho 2.1.332\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="no network namespace"):
        ask_cli(program)
    assert not ran.exists()


def test_a_call_that_cannot_work_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a file"):
        ask_cli(tmp_path / "absent", isolation="none")
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n")
    with pytest.raises(UsageError, match="may not be executed"):
        ask_cli(silent, isolation="none")
    silent.chmod(0o755)
    with pytest.raises(UsageError, match="tells no version"):
        ask_cli(silent, isolation="none")
    script = tmp_path / "cli.js"
    script.write_text("")
    with pytest.raises(UsageError, match="no-such-engine is not there"):
        ask_cli(script, runtime="no-such-engine", isolation="none")
    program = make_program(tmp_path, BY_THE_RULE)
    with pytest.raises(UsageError, match="no case is named 'plane'"):
        ask_cli(program, cases=("plane",), isolation="none")


SESSIONS = '''\
"""A pretend SDK: the two halves of the key function, and imports that are not there."""

import os
import re
import unicodedata
from absent_distribution import tools
from absent_distribution.deep import Thing

try:
    import optional_distribution
except ImportError:
    optional_distribution = None
assert optional_distribution is None


def _sanitize_path(name):
    return re.sub("[^a-zA-Z0-9]", "-", name)


def _canonicalize_path(path):
    resolved = unicodedata.normalize("NFC", os.path.realpath(path))
    resolved.encode("utf-8")
    return resolved


class Store(Thing):
    handle: "tools.Handle"
'''


def make_sdk(folder: Path, *, version: str = "0.2.189") -> Path:
    package = folder / "src" / "claude_agent_sdk"
    (package / "_internal").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('only one module is wanted')\n")
    (package / "_version.py").write_text(f"__version__ = {version!r}\n")
    (package / "_internal/__init__.py").write_text("")
    (package / "_internal/sessions.py").write_text(SESSIONS)
    return folder


def test_an_sdk_is_asked_without_its_dependencies(tmp_path: Path) -> None:
    run = ask_sdk(make_sdk(tmp_path / "sdk"), paths=["/srv/a.b", "/srv/\U0001f600", "/srv/e\u0301"])
    assert (run.oracle, run.version) == ("sdk", "0.2.189")
    assert [(row.observed, row.agree) for row in run.rows] == [
        ("-srv-a-b", True),
        ("-srv--", True),
        ("-srv--", True),
    ]
    assert {row.rule for row in run.rows} == {"sdk_python"}


def test_an_sdk_that_differs_is_told(tmp_path: Path) -> None:
    run = ask_sdk(make_sdk(tmp_path / "sdk"), paths=["/srv/" + "x" * 300])
    assert run.rows[0].agree is False
    assert run.holds is False


def test_a_refusal_agrees_with_a_rule_that_refuses(tmp_path: Path) -> None:
    run = ask_sdk(make_sdk(tmp_path / "sdk"), paths=["/srv/\ud83d"])
    (row,) = run.rows
    assert (row.observed, row.predicted, row.agree, row.note) == (None, None, True, "UnicodeEncodeError")


def test_a_source_distribution_is_unpacked(tmp_path: Path) -> None:
    make_sdk(tmp_path / "claude_agent_sdk-0.2.189")
    archive = tmp_path / "claude_agent_sdk-0.2.189.tar.gz"
    with tarfile.open(archive, "w:gz") as stream:
        stream.add(tmp_path / "claude_agent_sdk-0.2.189", arcname="claude_agent_sdk-0.2.189")
    assert ask_sdk(archive, paths=["/srv/a_b"]).rows[0].observed == "-srv-a-b"


def test_only_plain_files_come_out_of_a_distribution_and_none_beside_it(tmp_path: Path) -> None:
    make_sdk(tmp_path / "claude_agent_sdk-0.2.189")
    archive = tmp_path / "claude_agent_sdk-0.2.189.tar.gz"
    outside = tmp_path / "outside"
    with tarfile.open(archive, "w:gz") as stream:
        stream.add(tmp_path / "claude_agent_sdk-0.2.189", arcname="claude_agent_sdk-0.2.189")
        link = tarfile.TarInfo("claude_agent_sdk-0.2.189/link")
        link.type, link.linkname = tarfile.SYMTYPE, str(outside)
        stream.addfile(link)
        climb = "../" * 20 + f"{outside}/climbed"
        for name in (climb, str(outside / "absolute"), "claude_agent_sdk-0.2.189/link/through"):
            stream.addfile(tarfile.TarInfo(name))
    assert ask_sdk(archive, paths=["/srv/a_b"]).rows[0].observed == "-srv-a-b"
    assert not outside.exists()


def test_what_is_no_sdk_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.tar.gz").write_text("not an archive")
    with pytest.raises(UsageError, match="not a source distribution"):
        ask_sdk(tmp_path / "x.tar.gz")
    with pytest.raises(UsageError, match="no package"):
        ask_sdk(tmp_path)
    with pytest.raises(NothingThereError, match="no rule is known"):
        ask_sdk(make_sdk(tmp_path / "sdk", version="unknown"), paths=["/x"], ruleset=_without_sdk_rules())


def _without_sdk_rules() -> Ruleset:
    rules = load_rules()
    return Ruleset(tuple(rule for rule in rules.rules if "sdk" not in rule.agent), "1", "0")


needs_node = pytest.mark.skipif(
    shutil.which("node") is None and not os.environ.get("CI"), reason="no node here"
)


@needs_node
def test_a_javascript_engine_agrees_on_every_path_under_every_rule_it_knows() -> None:
    run = ask_javascript()
    assert [row for row in run.rows if not row.agree][:3] == []
    assert {row.rule for row in run.rows} >= {"cli_e1", "cli_e1_nfc", "cli_e2_node", "cli_e3", "pi_0_73"}
    assert run.n_agree > 10_000


@needs_node
def test_a_javascript_engine_reads_a_lone_surrogate_as_one_unit() -> None:
    run = ask_javascript(["/srv/\ud83d", "/srv/\ud83d\ude00", "/srv/" + "\ud83d" * 300])
    observed = [row.observed for row in run.rows if row.rule == "cli_e3"]
    assert observed[:2] == ["-srv--", "-srv---"]
    assert run.holds is True


@needs_node
def test_the_javascript_reading_has_the_known_edges_of_its_hash() -> None:
    path = "/" + "a" * 200
    run = ask_javascript([path, "/" + "b" * 199])
    (first, second) = [row.observed for row in run.rows if row.rule == "cli_e3"]
    assert first == "-" + "a" * 199 + "-b6ymvl"
    assert second == "-" + "b" * 199
    assert encode(path, "cli_e3") == first


def test_an_engine_that_is_absent_is_an_error() -> None:
    with pytest.raises(UsageError, match="no-such-engine is not there"):
        ask_javascript(["/x"], node="no-such-engine")
