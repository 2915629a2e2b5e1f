-- The only code that writes the audit log. Its triggers are in triggers.sql.

-- Appends one row to the hash chain. p_content is the row as canonical JSON; server/features/audit/audit.ts describes the
-- hash. The lock is held until the commit, so call it last in a transaction.
create or replace function audit_append(p_content text) returns bigint language plpgsql as $$
declare
  row_ jsonb := p_content::jsonb;
  head audit_log;
  next_id bigint;
  previous text;
begin
  perform pg_advisory_xact_lock(7205432);
  select * into head from audit_log order by id desc limit 1;
  next_id := coalesce(head.id, 0) + 1;
  previous := coalesce(head.hash, repeat('0', 64));
  insert into audit_log (
    id, at, actor_id, actor_email, action, kind, target, before, after, note, ip, user_agent, request_id, prev_hash, hash
  ) values (
    next_id, (row_->>'at')::timestamptz, row_->>'actorId', row_->>'actorEmail', row_->>'action', row_->>'kind',
    row_->>'target', nullif(row_->'before', 'null'), nullif(row_->'after', 'null'), row_->>'note', row_->>'ip',
    row_->>'userAgent', row_->>'requestId', previous,
    encode(sha256(convert_to(previous || ':' || next_id || ':' || p_content, 'UTF8')), 'hex')
  );
  return next_id;
end $$;

create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
