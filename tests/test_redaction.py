"""Names and secrets are masked the same way everywhere, and nothing of them is left."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.case import open_case
from forensics.display import clean_text
from forensics.redaction import Redactor
from forensics.report import build_context, write_report
from forensics.secrets import KINDS, mask_secrets
from tests.report.conftest import convert_home
from tests.report.homes import line, write_transcript

HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
WORD = "Zq7Xw2Vb9Nt4Rk6Jm1Hs8Gd3"
# Each value is put together here, so that no scanner mistakes this file for a leak.
SECRETS = {
    "private-key": "-----BEGIN RSA PRIVATE KEY-----\\nMIIEow" + WORD + "\\n-----END RSA PRIVATE KEY-----",
    "age-key": "AGE-SECRET" + "-KEY-1" + WORD.upper(),
    "anthropic-key": "sk-" + "ant-api03-" + WORD,
    "openrouter-key": "sk-" + "or-v1-" + WORD,
    "stripe-key": "sk_" + "live_" + WORD,
    "stripe-webhook-secret": "whs" + "ec_" + WORD,
    "openai-key": "sk-" + "proj-" + WORD,
    "github-token": "gh" + "p_" + WORD,
    "gitlab-token": "glp" + "at-" + WORD,
    "slack-token": "xox" + "b-1234567890-" + WORD,
    "webhook": "https://hooks" + ".slack.com/services/T000/B000/" + WORD,
    "discord-token": "M" + WORD[:23] + ".Gabcde." + WORD + "abc",
    "telegram-token": "123456789" + ":AA" + WORD,
    "aws-key-id": "AK" + "IA" + "QRSTUVWXYZ234567",
    "google-key": "AI" + "za" + WORD,
    "google-token": "ya" + "29." + WORD,
    "azure-key": "Account" + "Key=" + WORD + "==",
    "signature": "https://x.invalid/?s" + "ig=" + WORD,
    "huggingface-token": "h" + "f_" + WORD,
    "npm-token": "np" + "m_" + WORD,
    "pypi-token": "py" + "pi-" + WORD,
    "docker-token": "dckr" + "_pat_" + WORD,
    "sendgrid-key": "S" + "G." + WORD + "." + WORD,
    "twilio-key": "S" + "K" + HEX,
    "mailgun-key": "ke" + "y-" + HEX,
    "digitalocean-token": "dop" + "_v1_" + HEX,
    "shopify-token": "shp" + "at_" + HEX,
    "atlassian-token": "AT" + "ATT3" + WORD,
    "linear-key": "lin" + "_api_" + WORD,
    "notion-token": "nt" + "n_" + WORD,
    "databricks-token": "da" + "pi" + HEX,
    "vault-token": "hv" + "s." + WORD,
    "newrelic-key": "NR" + "AK-" + WORD.upper(),
    "sentry-token": "sntr" + "ys_" + WORD,
    "fly-token": "fo" + "1_" + WORD,
    "doppler-token": "dp" + ".pt." + WORD,
    "pulumi-token": "pu" + "l-" + HEX,
    "jwt": "ey" + "JhbGciOi." + WORD + "." + WORD,
    "bearer": "Bear" + "er " + WORD,
    "cookie": "Coo" + "kie: sid=" + WORD,
}
NAMED = {
    "token after an escaped newline": "\\ngh" + "p_" + WORD,
    "token after an escaped control": "\\u001bgh" + "p_" + WORD,
    "token stuck to a token": "AK" + "IAQRSTUVWXYZ234567sk-" + "ant-api03-" + WORD,
    "password in JSON": '{"password": "' + WORD + ' with (blanks)"}',
    "password in JSON in JSON": '{\\"db_password\\":\\"' + WORD + '\\"}',
    "secret in an environment": "export CLIENT_SECRET=" + WORD,
    "password in an address": "postgres://kit:" + WORD + "@db.invalid:5432/x",
    "api key in a query": "https://x.invalid/?api_key=" + WORD + "&page=2",
    "a number as a password": "password=4711471147",
}
core = re.compile("|".join([WORD, WORD.upper(), HEX, "QRSTUVWXYZ", "47114711"]))


def _key(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def test_every_kind_of_secret_has_an_example_and_there_are_more_than_twenty() -> None:
    assert set(SECRETS) == set(KINDS)
    assert len(KINDS) > 20


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_replaced_by_its_kind(kind: str) -> None:
    masked = mask_secrets(f"before {SECRETS[kind]} after")
    assert not core.search(masked)
    assert f"[{kind}]" in masked
    assert masked.startswith("before ")


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED)
def test_a_value_under_a_telling_name_is_masked(text: str) -> None:
    assert not core.search(mask_secrets(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"input_tokens": 1234, "cache_read_tokens":0}',
        "the token bucket and the secretary",
        'password = os.environ["PASSWORD"]',
        "token: $TOKEN",
        '"secret": null',
        "sha256 " + "a" * 64,
        "/srv/app/key-files/sk-learn/notes.md",
        "2.1.223 and 10 files",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    "kind", ["github-token", "anthropic-key", "gitlab-token", "vault-token", "private-key", "slack-token"]
)
def test_a_token_that_was_cut_is_masked_all_the_same(kind: str) -> None:
    secret = SECRETS[kind]
    assert WORD[:9] not in mask_secrets("x " + secret[: secret.index(WORD) + 9])


around = st.text("ab \n{}\"'", max_size=20)


@given(st.sampled_from(sorted(SECRETS)), around, around)
def test_a_secret_is_found_wherever_it_stands(kind: str, before: str, after: str) -> None:
    assert not core.search(mask_secrets(f"{before} {SECRETS[kind]} {after}"))


pieces = st.sampled_from(
    [
        *(*SECRETS.values(), *NAMED.values(), "/home/kit/x", "-home-kit-x", "kit@box:~", "j.doe@example.org"),
        *("C:\\Users\\Jane Doe\\x", "[secret]", "password=", '"', "\\", "10.1.2.3", "http://build1/", " "),
    ]
)


@given(st.lists(pieces | st.text(max_size=5), max_size=8).map("".join))
def test_masking_twice_is_masking_once(text: str) -> None:
    redactor = Redactor.of_names(users=["kit", "jane.doe", "Jane Doe"], hosts=["fileserv"])
    once = redactor.mask(text)
    assert redactor.mask(once) == once


names = st.from_regex(r"[a-z][a-z0-9._-]{1,12}[a-z0-9]", fullmatch=True).filter(
    lambda name: mask_secrets(name) == name
)


@given(st.lists(names, min_size=1, max_size=4, unique=True), st.sampled_from(["/home", "/Users"]))
def test_a_masked_directory_still_gives_its_masked_key(users: list[str], base: str) -> None:
    redactor = Redactor.of_names(users=users)
    for user in users:
        cwd = f"{base}/{user}/work-9"
        masked = redactor.mask(cwd)
        assert f"/{user}/" not in masked
        assert redactor.mask(_key(cwd)) == _key(masked)


@given(st.lists(names, min_size=2, max_size=5, unique=True))
def test_different_users_stay_different(users: list[str]) -> None:
    redactor = Redactor.of_names(users=users)
    assert len({redactor.mask(f"/home/{user}/x") for user in users}) == len(users)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("/home/kit/x and Kit said", "/home/person2/x and person2 said"),
        ("kitchen and toolkit", "kitchen and toolkit"),
        ("-home-jane-doe-app", "-home-person1-app"),
        ("/home/root/x and root", "/home/person3/x and root"),
        ("/root/x", "/root/x"),
        (r"\\Fileserv\share\x", r"\\machine1\share\x"),
        ("kit@box:~/x", "[login]:~/x"),
        ("kit@example.org", "[mail]"),
        ("git@github.com:kit/x.git", "[mail]:person2/x.git"),
        ("https://intranet/x http://localhost:80/", "https://[host]/x http://localhost:80/"),
        ("10.1.2.3 127.0.0.1 2.1.223", "[address] 127.0.0.1 2.1.223"),
        ("home/projects/-home-kit-x/a.jsonl#L1", "home/projects/-home-person2-x/a.jsonl#L1"),
    ],
)
def test_names_are_masked_as_expected(text: str, masked: str) -> None:
    redactor = Redactor.of_names(users=["kit", "jane.doe", "root"], hosts=["FILESERV"])
    assert redactor.mask(text) == masked


def _leaky_home(root: Path) -> Path:
    everything = [*SECRETS.values(), *NAMED.values(), "mail jane.doe@example.org", "ssh kit@box", "10.1.2.3"]
    for at, text in enumerate(everything):
        session = f"0d000000-0000-4000-8000-0000000000{at:02d}"
        other = f"0e000000-0000-4000-8000-0000000000{at:02d}"
        cwd = "/home/kitty/" + re.sub(r"[^A-Za-z0-9]", "-", f"{at}")
        damaged = json.dumps({"broken": text}).encode()[1:]
        lines = [line(session, f"{cwd}/a.b", text, minute=at), damaged]
        write_transcript(root, _key(f"{cwd}/a.b"), session, lines)
        write_transcript(root, _key(f"{cwd}/a.b"), other, [line(other, f"{cwd}/a-b", text, minute=at)])
    return root


def test_nothing_planted_is_in_any_format_or_picture_of_a_redacted_report(tmp_path: Path) -> None:
    with open_case(convert_home(_leaky_home(tmp_path / "home"), tmp_path / "case")) as case:
        open_report = build_context(case, full=True)
        write_report(open_report, tmp_path / "open")
        write_report(build_context(case, full=True, redact=True), tmp_path / "masked")
    seen = (tmp_path / "open" / "report.json").read_text("utf-8")
    assert sum(clean_text(secret).split()[-1][:12] in seen for secret in SECRETS.values()) > 20
    for name in ("index.html", "report.md", "report.json"):
        text = (tmp_path / "masked" / name).read_text("utf-8")
        pictures = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", text)
        text += "".join(base64.b64decode(picture).decode("utf-8") for picture in pictures)
        assert core.findall(text) == []
        assert not re.search(r"kitty|jane\.doe|example\.org|kit@|10\.1\.2\.3", text)
        assert "person1" in text


def test_a_redactor_learns_the_names_that_a_case_records(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for at, cwd in enumerate(["/home/kit/x", "C:\\Users\\Jane Doe\\x", "\\\\fileserv\\share\\x", "/srv/x"]):
        session = f"0f000000-0000-4000-8000-0000000000{at:02d}"
        write_transcript(home, _key(cwd), session, [line(session, cwd, "hello")])
    (home / "projects" / "-Users-rosa-notes").mkdir()
    with open_case(convert_home(home, tmp_path / "case")) as case:
        redactor = Redactor.of_case(case)
    assert redactor.users == ("Jane Doe", "kit", "rosa")
    assert redactor.hosts == ("fileserv",)
