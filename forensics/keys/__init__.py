"""From a working directory to the key an agent files it under, and what explains a key.

The rules are data (`rules.toml`), each with the versions it was observed in; nothing here reads a disk
beyond that file, decodes a key, or imports anything of ours.
"""

from forensics.keys.alias import Alias, aliases
from forensics.keys.classify import Explanation, Kind, classify
from forensics.keys.encode import (
    NAMED_MAX,
    RESERVED_NAMES,
    encode,
    is_allowed_name,
    is_named_key,
    nfc_is_certain,
    resolve_lexical,
    variants,
)
from forensics.keys.hashing import INT32_SUFFIX_MAX, WYHASH64_SUFFIX_MAX, base36, hash_int32, wyhash64
from forensics.keys.rules import (
    CLAUDE_CODE,
    Basis,
    Candidate,
    Rule,
    RulesError,
    Ruleset,
    load_rules,
    parse_version,
    rules_for,
)

LIMIT = 200

__all__ = [
    "CLAUDE_CODE",
    "INT32_SUFFIX_MAX",
    "LIMIT",
    "NAMED_MAX",
    "RESERVED_NAMES",
    "WYHASH64_SUFFIX_MAX",
    "Alias",
    "Basis",
    "Candidate",
    "Explanation",
    "Kind",
    "Rule",
    "RulesError",
    "Ruleset",
    "aliases",
    "base36",
    "classify",
    "encode",
    "hash_int32",
    "is_allowed_name",
    "is_named_key",
    "load_rules",
    "nfc_is_certain",
    "parse_version",
    "resolve_lexical",
    "rules_for",
    "variants",
    "wyhash64",
]
