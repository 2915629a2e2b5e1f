/** Grants, the ledger in the order things happened, and the balances it leads to. */
export const books = (): string[] => [
  `create temporary table demo_used on commit drop as
   select g.*, g.symbols - coalesce(u.used, 0) as unspent from demo_grants g
   left join (select grant_id, sum(charged)::bigint as used from demo_exchanges group by grant_id) u on u.grant_id = g.id`,
  `insert into grants (id, user_id, kind, symbols, remaining, expires_at, order_id, note, created_at)
   select id, user_id, kind, symbols, case when refunded or expires_at <= now() then 0 else unspent end,
     case when refunded then least(begins + interval '1 day', now()) else expires_at end, order_id,
     case kind when 'gift' then null else 'Демо' end, begins
   from demo_used order by begins`,
  `create temporary table demo_entries on commit drop as
   select row_number() over (order by at, turn, key) as no, entries.* from (
     select user_id, 'demo-grant:' || id as key, kind, symbols, id as grant_id, begins as at, 0 as turn, amount, null::bigint as exchange
     from demo_grants
     union all
     select user_id, 'demo-answer:' || no, 'answer', -charged, grant_id, at, 1, null, no from demo_exchanges where charged > 0
     union all
     select user_id, 'demo-expiry:' || id, 'expiry', -unspent, id, expires_at, 2, null, null
     from demo_used where expires_at <= now() and unspent > 0 and not refunded
     union all
     select user_id, 'demo-back:' || id, 'take_back', -unspent, id, least(begins + interval '1 day', now()), 2, -amount, null
     from demo_used where refunded
   ) as entries`,
  `insert into ledger (user_id, key, kind, symbols, balance_after, parts, model_id, thread_id, message_id, input, output,
     input_rate, output_rate, amount, currency, created_at)
   select n.user_id, n.key, n.kind, n.symbols, sum(n.symbols) over (partition by n.user_id order by n.no),
     jsonb_build_array(jsonb_build_object('grant', n.grant_id, 'symbols', n.symbols)),
     e.model_id, 'demo-t-' || e.user_id || '-' || e.thread_no, 'demo-a-' || e.no, e.input, e.output, m.input_rate, m.output_rate,
     n.amount, case when n.amount is not null then 'BYN' end, n.at
   from demo_entries n left join demo_exchanges e on e.no = n.exchange left join models m on m.id = e.model_id
   order by n.no`,
  `insert into balances (user_id, total, exhausted)
   select user_id, sum(remaining), sum(remaining) = 0 from grants where user_id like 'demo-u-%' group by user_id`,
]
