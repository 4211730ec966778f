"""Reasons beside the five checks: what keeps a session out of the answer before it comes to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from forensics.alive.gates import Reason

_ALL: Final = (
    Reason("hub", "the hub is raised again by itself", "hub は自分で立ち直ります"),
    Reason("no_trace", "nobody started it by the name of its place", "印がありません"),
    Reason("not_enumerable", "it lies outside the roots that are searched", "探す場所の外にあります"),
    Reason("dismissed", "a person declared it finished", "終わったものとして記録されています"),
    Reason("archived", "it was archived in the app", "アプリで閉じられています（archived）"),
    Reason("no_mtime", "nobody knows when it was written last", "最終更新がわかりません"),
    Reason("not_last", "it was not alive at the last shutdown", "前回の停止まで生きていた組ではありません"),
    Reason("not_since", "it was not written in that period", "その期間に触られていません"),
    Reason("too_old", "it is older than the age line", "古さの線より前です"),
    Reason("other_chosen", "another conversation of this place is taken", "同じ場所の別の会話が選ばれます"),
    Reason("other_file", "another file holds this conversation", "同じ会話が別のファイルにあります"),
)
REASONS: Final[Mapping[str, Reason]] = {reason.code: reason for reason in _ALL}
