-- Search words have no foreign key, because their library is an assistant or a project.
create or replace function forget_search_words() returns trigger language plpgsql as $$
begin
  delete from search_words where assistant_id = old.id;
  return old;
end $$;
