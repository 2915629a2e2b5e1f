/** Plain SQL over temporary tables, because a million rows would be slow to send from Node. */

const NAMES = ['Анна', 'Борис', 'Вера', 'Глеб', 'Дарья', 'Егор', 'Жанна', 'Захар', 'Инна', 'Кирилл', 'Лидия', 'Максим']

export const names = `array[${NAMES.map((name) => `'${name}'`).join(', ')}]`

/** Two years of growth: more users every week, fewer at weekends. */
export const people = (count: number): string[] => [
  'select setseed(0.4242)',
  `create temporary table demo_people on commit drop as
   select n, 'demo-u-' || n as id, least(at, now() - interval '1 hour' * (1 + random() * 20)) as created_at,
     random() < 0.09 as pays, random() as luck,
     case when random() < 0.06 then 1 + floor(random() * 3)::int else 0 end as bundles,
     random() < 0.07 as has_code
   from (
     select n, case when extract(isodow from at) > 5 and random() < 0.45 then at - interval '2 days' else at end as at
     from (
       select n, now() - interval '730 days' + interval '1 day' * (730 * sqrt(random())) as at
       from generate_series(1, ${count}) n
     ) as spread
   ) as shifted`,
  'create index on demo_people (id)',
  'analyze demo_people',
  `insert into users (id, name, email, email_verified, created_at, updated_at)
   select id, 'Демо ' || (${names})[1 + n % ${NAMES.length}] || ' ' || n, 'demo' || n || '@demo.invalid', true, created_at, created_at
   from demo_people order by created_at`,
  `insert into settings (user_id, thread_model, thread_gpt_name_prompt)
   select id, 'demo-mini', 'Придумай короткое название беседы.' from demo_people`,
]

/** Plans, bundles and models. Hidden when the database has real users. */
export const offer = (shown: boolean): string[] => [
  `insert into models (id, name, description, provider, provider_model, input_rate, output_rate, cost_input, cost_output,
     cost_currency, hidden, position) values
   ('demo-mini', 'Демо Мини', 'Данные для показа', 'demo', 'demo', 1, 1, 40, 160, 'BYN', ${!shown}, 10),
   ('demo-large', 'Демо Большая', 'Данные для показа', 'demo', 'demo', 3, 5, 500, 2000, 'BYN', ${!shown}, 11),
   ('demo-fast', 'Демо Скорая', 'Данные для показа', 'demo', 'demo', 0.5, 0.5, 10, 40, 'USD', ${!shown}, 12)`,
  `insert into plans (id, name, description, active, position) values
   ('demo-plan-1', 'Демо Старт', 'Данные для показа', ${shown}, 10), ('demo-plan-2', 'Демо Про', 'Данные для показа', ${shown}, 11)`,
  `insert into plan_versions (id, plan_id, symbols, price, currency, interval_days) values
   ('demo-version-1', 'demo-plan-1', 500000, 990, 'BYN', 30), ('demo-version-2', 'demo-plan-2', 2000000, 2990, 'BYN', 30)`,
  `insert into bundles (id, name, symbols, price, currency, active, position) values
   ('demo-bundle', 'Демо Пакет', 200000, 590, 'BYN', ${shown}, 10)`,
  `insert into promo_codes (id, code_hash, hint, symbols, discount_percent, max_uses, active) values
   ('demo-code-1', 'demo-code-1', 'ДЕМО', 5000, null, null, false), ('demo-code-2', 'demo-code-2', 'ДЕМО', 0, 20, null, false)`,
]
