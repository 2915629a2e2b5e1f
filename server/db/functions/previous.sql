-- Signatures that earlier builds call. During a rolling upgrade their instances use the functions of the new build, so a
-- signature is removed one release after its last caller (docs/decisions/032-rolling-upgrades.md).

-- From before holds had an instance.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date, p_most int
) returns text language sql as $$
  select money_hold(p_key, p_user, p_kind, p_symbols, p_lease, p_now, p_day, p_most, null::text)
$$;

-- From before the number of holds was limited.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date
) returns text language sql as $$
  select money_hold(p_key, p_user, p_kind, p_symbols, p_lease, p_now, p_day, null::int, null::text)
$$;
