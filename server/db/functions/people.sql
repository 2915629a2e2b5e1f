-- Deletes or masks the personal data of a deleted account, in the same transaction. Rows with `on delete cascade` are
-- not listed here; payments stay, without the payer.
create or replace function forget_deleted_user() returns trigger language plpgsql as $$
declare
  v_refs text[];
begin
  select array_agg(ref) into v_refs
  from (
    select unnest(array[gateway_uid, gateway_token, kind || ':' || id]) from orders where user_id = old.id
    union
    select gateway_id from subscriptions where user_id = old.id
  ) as named (ref)
  where ref is not null;
  update payment_events
  set payer_hash = null,
    body = body #- '{customer}' #- '{card}' #- '{billing_address}' #- '{transaction,customer}'
      #- '{transaction,credit_card}' #- '{transaction,billing_address}'
  where refs && v_refs;
  update consents set ip = '' where user_id = old.id;
  update legal_consents set ip = '', user_agent = '' where user_id = old.id;
  update subscriptions set card_last4 = null, card_brand = null where user_id = old.id;
  update orders set redirect_url = null, qr = null where user_id = old.id and redirect_url is not null;
  update payment_methods set token = null, last4 = null, brand = null, removed_at = coalesce(removed_at, now()),
    removed_by = coalesce(removed_by, 'account')
  where user_id = old.id;
  delete from email_outbox where recipient = old.email;
  -- Compared with the quotes or the separator, because one address may be the end of another one.
  delete from verifications
  where value = old.id or position('"' || old.email || '"' in value) > 0 or position('"' || old.id || '"' in value) > 0;
  delete from rate_limits where right(key, length(old.email) + 1) = ':' || old.email;
  return old;
end $$;
