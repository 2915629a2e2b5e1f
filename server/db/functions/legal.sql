-- Published documents stay as they were agreed to. The triggers are in triggers.sql.
create or replace function legal_versions_are_kept() returns trigger language plpgsql as $$
begin
  raise exception 'published documents are append-only';
end $$;
