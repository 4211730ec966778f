-- /// model
-- doc = "Ends of main transcripts whose modification time can be believed, each with its directory."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- directory = "The directory it belongs to."
-- canonical_guess = "One spelling of it, by spelling alone."
-- session_id = "The session id that the file's name says."
-- path = "Path relative to the root."
-- mtime_ns = "Modification time, nanoseconds since 1970."
-- idle_gap_s = "Seconds from the last content to the modification time."
-- last_content_line_no = "Line of the last content."
-- last_content_part = "Its part."
-- boot_s = "When the machine booted, or null."
-- ///
select
    e.file_id,
    e.generation,
    e.label,
    p.resume_cwd as directory,
    coalesce(d.canonical_guess, p.resume_cwd) as canonical_guess,
    s.session_id,
    e.path,
    e.mtime_ns,
    e.idle_gap_s,
    e.last_content_line_no,
    e.last_content_part,
    b.boot_s
from session_ends as e
inner join mtime_companions as c
    on e.file_id = c.file_id
    and e.generation = c.generation
inner join resume_places as p
    on e.file_id = p.file_id
    and e.generation = p.generation
inner join sessions as s
    on e.file_id = s.file_id
    and e.generation = s.generation
left join cwds as d
    on p.resume_cwd = d.cwd
left join boots as b
    on e.label = b.label
where p.resume_cwd is not null
    and e.idle_gap_s >= -2
    and not (c.n_same_second >= 3 and c.nearest_content_s > 60)
