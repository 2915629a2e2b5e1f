-- Deletes the chunks of an answer whose text is stored whole now. The caller has locked the message.
create or replace function delete_chunks(p_message text) returns void language plpgsql as $$
begin
  delete from message_chunks where message_id = p_message;
  delete from thought_chunks where message_id = p_message;
end $$;
