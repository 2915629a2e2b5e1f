create or replace function is_acting_admin(p_role text, p_banned boolean) returns boolean language sql immutable as $$
  select not p_banned and (',' || replace(p_role, ' ', '') || ',') like '%,admin,%'
$$;

-- At least one administrator must remain. Two administrators who remove each other's role at the same moment do not see
-- each other's change; the lock lets the second see the first.
create or replace function keep_an_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('keep_an_admin', 0));
  if not exists (select from users where is_acting_admin(role, banned)) then
    -- The server knows this code and shows the sentence unchanged.
    raise exception 'Это единственный администратор. Сначала назначьте ещё одного.' using errcode = 'SY409';
  end if;
  return null;
end $$;
