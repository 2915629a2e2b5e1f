-- A shared message keeps its text when the original is changed.
create or replace function keep_shared_text() returns trigger language plpgsql as $$
begin
  update shared_messages set content = old.content where message_id = old.id and content is null;
  return new;
end $$;
