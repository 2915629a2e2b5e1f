-- Signatures that an earlier build calls. During a rolling upgrade its instances work on the functions of the new one,
-- so a signature is removed a release after its last caller (docs/decisions/032-rolling-upgrades.md).

-- Before a hold named the process that works under it.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date, p_most int
) returns text language sql as $$
  select money_hold(p_key, p_user, p_kind, p_symbols, p_lease, p_now, p_day, p_most, null::text)
$$;

-- Before holds of a kind were counted.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date
) returns text language sql as $$
  select money_hold(p_key, p_user, p_kind, p_symbols, p_lease, p_now, p_day, null::int, null::text)
$$;
