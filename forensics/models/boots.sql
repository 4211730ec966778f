-- /// model
-- doc = "When the machine of each source booted, as a probe of it says."
-- grain = ["label"]
-- [columns]
-- label = "The source."
-- boot_s = "Seconds since 1970."
-- ///
select
    p.label,
    max(try_cast(p.value as bigint)) as boot_s
from probe_host as p
where p.name = 'boot_time_s'
group by p.label
having max(try_cast(p.value as bigint)) is not null
