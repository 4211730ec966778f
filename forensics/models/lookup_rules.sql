-- /// model
-- doc = "What each lookup of the command line does, by version, as observed by running it; not evidence."
-- grain = ["situation", "lookup", "first"]
-- [columns]
-- situation = "colliding: another directory of the same key; prefix: another key with the same 200 characters; elsewhere: any other directory."
-- lookup = "resume or continue."
-- first = "First version of the range."
-- last = "Last version observed in it."
-- takes_other = "Whether it takes a session of another directory; null where it depends on whether that one still exists."
-- ///
select
    r.situation,
    r.lookup,
    r.first,
    r.last,
    r.takes_other
from (
    values
    ('colliding', 'resume', [0, 2, 126], [2, 1, 112], true),
    ('colliding', 'resume', [2, 1, 223], [2, 1, 332], true),
    ('colliding', 'continue', [0, 2, 126], [2, 1, 224], true),
    ('colliding', 'continue', [2, 1, 332], [2, 1, 332], null),
    ('prefix', 'continue', [2, 1, 113], [2, 1, 223], true),
    ('prefix', 'continue', [2, 1, 224], [2, 1, 332], false),
    ('elsewhere', 'resume', [0, 2, 126], [2, 1, 170], false),
    ('elsewhere', 'resume', [2, 1, 223], [2, 1, 332], true)
) as r (situation, lookup, first, last, takes_other)
