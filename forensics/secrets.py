"""The shapes of secrets, by kind; each is masked by the name of its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What may stand between a name and its value: quotes that JSON has escaped any number of times, a colon or an
# equals sign, blanks. Lower bounds are short on purpose: a token that was cut off elsewhere is one all the
# same.
_TO = r"""\\*["']?\s*[:=]\s*"""
# Where a token may begin; what JSON escapes before it ends in a letter and is no part of a word.
_ESCAPED = r"(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})"
_WORD = rf"(?:(?<![A-Za-z0-9])|{_ESCAPED})"
_PROUD = rf"(?:(?<![A-Za-z0-9_-])|{_ESCAPED})"
_PASSES = 5


@dataclass(frozen=True, slots=True)
class _Shape:
    """A kind of secret; a text without any of the `hints` (in lower case) holds none."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, hints: str, pattern: str) -> _Shape:
    return _Shape(kind, tuple(hints.split()), re.compile(pattern))


def _token(kind: str, prefix: str, rest: str) -> _Shape:
    """A token that begins with a fixed word."""
    return _shape(kind, prefix.lower(), _WORD + re.escape(prefix) + rest)


_SHAPES = (
    _shape(
        "private-key",
        "-----begin",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    _token("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{6,}"),
    _token("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{6,}"),
    _token("openrouter-key", "sk-or-", r"[A-Za-z0-9_-]{6,}"),
    _shape("stripe-key", "k_live_ k_test_", _WORD + r"[srp]k_(?:live|test)_[A-Za-z0-9]{6,}"),
    _token("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{6,}"),
    _shape("openai-key", "sk-", _PROUD + r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{16,}"),
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", _WORD + r"gh[pousr]_[A-Za-z0-9]{6,}"),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{6,}"),
    _shape(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- gloas- glsoat-",
        _WORD + r"gl(?:pat|dt|rt|cbt|ptt|oas|soat)-[A-Za-z0-9_.-]{6,}",
    ),
    _shape("slack-token", "xox xapp-", _WORD + r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{6,}"),
    _shape(
        "webhook",
        "hooks.slack.com webhooks webhook.office",
        r"https?:\\*/\\*/(?:hooks\.slack\.com|(?:ptb\.|canary\.)?discord(?:app)?\.com\\*/api\\*/webhooks"
        r"|[a-z0-9.-]*\.webhook\.office\.com)[^\s\"'<>]*",
    ),
    _shape("discord-token", ".", _WORD + r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,}"),
    _shape("telegram-token", ":aa", _WORD + r"\d{8,10}:AA[A-Za-z0-9_-]{20,}"),
    _shape("aws-key-id", "akia asia abia acca", _WORD + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{10,}"),
    _token("google-key", "AIza", r"[A-Za-z0-9_-]{10,}"),
    _token("google-token", "ya29.", r"[A-Za-z0-9_.-]{6,}"),
    _token("google-token", "GOCSPX-", r"[A-Za-z0-9_-]{6,}"),
    _token("google-token", "1//0", r"[A-Za-z0-9_-]{10,}"),
    _shape(
        "azure-key",
        "accountkey= sharedaccesskey= sharedsecret=",
        r"(?:AccountKey|SharedAccessKey|SharedSecret)=[A-Za-z0-9+/=]{6,}",
    ),
    _shape(
        "signature", "sig= signature=", r"(?i)(?<=[?&])(?:x-[a-z]+-)?sig(?:nature)?=[A-Za-z0-9%+/=_-]{6,}"
    ),
    _token("huggingface-token", "hf_", r"[A-Za-z0-9]{6,}"),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{16,}"),
    _token("pypi-token", "pypi-", r"[A-Za-z0-9_-]{16,}"),
    _shape("docker-token", "dckr_", _WORD + r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{6,}"),
    _token("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?"),
    _shape("twilio-key", "sk ac", _WORD + r"(?:SK|AC)[0-9a-f]{32}(?![0-9a-f])"),
    _token("mailgun-key", "key-", r"[0-9a-f]{16,}"),
    _shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _WORD + r"do[opr]_v1_[0-9a-f]{6,}"),
    _shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", _WORD + r"shp(?:at|ca|pa|ss)_[0-9A-Za-z]{6,}"),
    _shape("atlassian-token", "atatt atctt atbb", _WORD + r"AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{16,}"),
    _shape("linear-key", "lin_", _WORD + r"lin_(?:api|oauth)_[A-Za-z0-9]{6,}"),
    _token("notion-token", "ntn_", r"[A-Za-z0-9]{10,}"),
    _token("databricks-token", "dapi", r"[0-9a-f]{16,}"),
    _shape("vault-token", "hvs. hvb. hvr.", _WORD + r"hv[sbr]\.[A-Za-z0-9_-]{6,}"),
    _token("newrelic-key", "NRAK-", r"[A-Z0-9]{6,}"),
    _shape("sentry-token", "sntrys_ sntryu_", _WORD + r"sntry[su]_[A-Za-z0-9_=+/-]{6,}"),
    _token("fly-token", "fo1_", r"[A-Za-z0-9_-]{16,}"),
    _shape("doppler-token", "dp.", _WORD + r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{10,}"),
    _token("pulumi-token", "pul-", r"[0-9a-f]{16,}"),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){1,4}"),
    _shape(
        "bearer",
        "bearer basic token",
        r"(?i:\b(?:bearer|basic|token))\s+(?=[A-Za-z0-9._~+/=-]*[0-9=])[A-Za-z0-9._~+/=-]{12,}",
    ),
    _shape("cookie", "cookie", r"(?i:\b(?:set-)?cookie" + _TO + r")\\*[\"']?[^\"'\\\n]{6,}"),
)
# A password inside an address: everything up to the last @ before the host is secret.
_LOGIN_URL = re.compile(r"""(?<=://)[^\s/"'<>@:]*:[^\s/"'<>]*@""")
_NAMES = "password passwd passphrase pwd secret token credential".split()  # noqa: SIM905
_NAMED = re.compile(
    rf"(?P<name>(?i:{'|'.join(_NAMES)}|(?:api|access|private|auth|account)[_-]?key|connection[_-]?string)"
    rf"[A-Za-z0-9_]{{0,20}})(?P<to>{_TO})"
    r"""(?:(?P<quote>\\*["'])(?P<quoted>(?:(?!(?P=quote))[^\n])+)|(?P<bare>[^\s"'\\,;&<>]{4,}))"""
)
_NAMED_HINTS = (*_NAMES, "key", "connection")
_HARMLESS = re.compile(r"(?i)null|true|false|none|undefined|\$\S*|\[[\w-]+\]?|process\.env\S*|os\.\S*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

KINDS = tuple(dict.fromkeys(shape.kind for shape in _SHAPES))


def mask_secrets(text: str) -> str:
    """The text with each secret replaced by its kind in brackets."""
    # One mask may uncover another: a token stuck to the end of a token begins a word only then.
    for _ in range(_PASSES):
        before, text = text, _mask_once(text)
        if text == before:
            break
    return text


def _mask_once(text: str) -> str:
    low = text.lower()
    for shape in _SHAPES:
        if any(hint in low for hint in shape.hints):
            text = shape.pattern.sub(f"[{shape.kind}]", text)
    if "://" in low:
        text = _LOGIN_URL.sub("[login]@", text)
    if any(hint in low for hint in _NAMED_HINTS):
        text = _NAMED.sub(_mask_value, text)
    return text


def _mask_value(found: re.Match[str]) -> str:
    value = found["quoted"] or found["bare"]
    # Counts of tokens are numbers that a transcript is full of; a password may well be one.
    is_count = "token" in found["name"].lower() and _NUMBER.fullmatch(value)
    if is_count or _HARMLESS.fullmatch(value):
        return found[0]
    return f"{found['name']}{found['to']}{found['quote'] or ''}[secret]"
