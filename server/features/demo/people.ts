/** Plain SQL over temporary tables, because a million rows would be slow to send from Node. */

const NAMES = ['Анна', 'Борис', 'Вера', 'Глеб', 'Дарья', 'Егор', 'Жанна', 'Захар', 'Инна', 'Кирилл', 'Лидия', 'Максим']

const names = `array[${NAMES.map((name) => `'${name}'`).join(', ')}]`

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
  `insert into promo_codes (id, code_hash, name, hint, symbols, discount_percent, max_uses, active) values
   ('demo-code-1', 'demo-code-1', 'Демо: подарок', 'ДЕМО', 5000, null, null, false), ('demo-code-2', 'demo-code-2', 'Демо: скидка', 'ДЕМО', 0, 20, null, false)`,
]

/** Picked by the number of the exchange, so that the data are reproducible. */
const questions = [
  'Составь письмо клиенту о переносе срока поставки на неделю.',
  'Объясни простыми словами, чем отличается НДС от налога на прибыль.',
  'Сократи этот текст до трёх предложений, сохранив главное.',
  'Придумай пять названий для кофейни рядом с парком.',
  'Переведи на английский и сделай вежливее.',
  'Как в таблице посчитать сумму только по видимым строкам?',
  'Напиши план урока по истории для шестого класса.',
  'Проверь договор аренды: на что обратить внимание?',
]
const answers = [
  'Вот вариант письма: коротко, с извинением и новой датой. При желании сделаю тон строже.',
  'Если коротко: первый платят с каждой продажи, второй — с того, что осталось после расходов.',
  'Главная мысль уместилась в три предложения; детали вынес в список ниже.',
  'Названия с разным настроением: спокойные, смешные и одно очень короткое.',
  'Готово. Перевёл и смягчил две фразы, которые звучали резко.',
  'Используйте функцию промежуточных итогов: она пропускает скрытые строки.',
  'План на сорок пять минут: вступление, источник, работа в парах, вывод.',
  'Обратите внимание на срок, порядок повышения платы и условия расторжения.',
]
const failures = ['Модель сейчас перегружена', 'Модель не отвечает', 'Модель слишком долго молчит']
const list = (texts: string[]) => `array[${texts.map((text) => `'${text}'`).join(', ')}]`
const pickFrom = (texts: string[], no: string) => `(${list(texts)})[1 + ${no} % ${texts.length}]`
/** Symbols per token, as in the cost estimate for providers that do not report tokens. */
const TOKEN = 4

/** The exchanges of each grant, priced, and charged as long as the grant lasts. */
export const exchanges = (count: number): string[] => [
  `create temporary table demo_drafts on commit drop as
   select row_number() over () as no, drafts.* from (
     select g.id as grant_id, g.user_id, g.symbols as most,
       least(case when extract(isodow from at) > 5 and random() < 0.4 then greatest(at - interval '2 days', g.begins + (at - g.begins) / 2) else at end, now()) as at,
       case when g.kind in ('gift', 'promo') then (case when luck < 0.7 then 'demo-mini' else 'demo-fast' end)
         when luck < 0.5 then 'demo-mini' when luck < 0.8 then 'demo-large' else 'demo-fast' end as model_id,
       least(200 + floor(-ln(1 - random()) * 900), 9000)::bigint as input,
       least(150 + floor(-ln(1 - random()) * 700), 7000)::bigint as output,
       random() as fate, (180 + -ln(1 - random()) * 700)::int as first_ms
     from (
       select g.*, g.begins + (g.ends - g.begins) * random() as at, random() as luck
       from demo_grants g
       cross join (select ${count} / sum(weight) as scale from demo_grants) as s
       cross join lateral generate_series(1, floor(g.weight * s.scale + random())::int) each
     ) as g
   ) as drafts`,
  `create temporary table demo_exchanges on commit drop as
   select no, grant_id, user_id, at, model_id, input, output, first_ms, status, case when fits then price else 0 end as charged,
     (row_number() over (partition by user_id order by at, no) - 1) / 5 as thread_no
   from (
     select *, sum(price) over (partition by grant_id order by at, no) <= most as fits,
       case when fate < 0.03 then 'failed' when sum(price) over (partition by grant_id order by at, no) > most then 'out_of_symbols'
         when fate < 0.07 then 'stopped' else 'complete' end as status
     from (
       select d.*, case when d.fate < 0.03 then 0 else ceil(d.input * m.input_rate + d.output * m.output_rate)::bigint end as price
       from demo_drafts d join models m on m.id = d.model_id
     ) as priced
   ) as charged`,
  'create index on demo_exchanges (user_id, thread_no)',
  'analyze demo_exchanges',
]

export const chats = (): string[] => [
  // People were last here some minutes after their last question, or on the day they came.
  `update users u set last_seen_at = least(now() - interval '3 minutes', coalesce(last.at, u.created_at) + interval '1 minute' * (2 + abs(hashtext(u.id)) % 40))
   from demo_people p left join (select user_id, max(at) as at from demo_exchanges group by user_id) as last on last.user_id = p.id
   where u.id = p.id`,
  `insert into threads (id, user_id, title, title_source, model_id, current_leaf_id, created_at, updated_at)
   select 'demo-t-' || user_id || '-' || thread_no, user_id, 'Демо: ' || lower(left(${pickFrom(questions, 'min(no)')}, 30)), 'auto',
     'demo-mini', 'demo-a-' || (array_agg(no order by at desc, no desc))[1], min(at), max(at)
   from demo_exchanges group by user_id, thread_no`,
  `insert into messages (id, thread_id, user_id, parent_id, role, content, status, model_id, input, output, charged,
     error_code, error_message, created_at)
   select case when side.answer then 'demo-a-' else 'demo-q-' end || no, 'demo-t-' || user_id || '-' || thread_no, user_id,
     case when side.answer then 'demo-q-' || no else 'demo-a-' || before end,
     case when side.answer then 'assistant' else 'user' end,
     case when not side.answer then ${pickFrom(questions, 'no')} when status = 'failed' then '' else ${pickFrom(answers, 'no')} end,
     case when side.answer then status else 'complete' end,
     case when side.answer then e.model_id end,
     case when side.answer and charged > 0 then e.input else 0 end, case when side.answer and charged > 0 then e.output else 0 end,
     case when side.answer then charged else 0 end,
     case when side.answer and status = 'failed' then 'model_failed' end,
     case when side.answer and status = 'failed' then ${pickFrom(failures, 'no')} || '. Повторите позже или выберите другую.' end,
     at + case when side.answer then interval '1 millisecond' else interval '0' end
   from (select *, lag(no) over (partition by user_id, thread_no order by at, no) as before from demo_exchanges) e
   join models m on m.id = e.model_id
   cross join (values (false), (true)) as side (answer)
   order by at, no, side.answer`,
  `insert into model_calls (kind, user_hash, model_id, is_first_answer, status, failure, first_token_ms, total_ms, input_tokens,
     output_tokens, tokens_guessed, cost, cost_currency, created_at)
   select 'answer', stat_user_hash(user_id), e.model_id, true, status, case when status = 'failed' then ${pickFrom(failures, 'no')} end,
     case when status <> 'failed' then first_ms end, first_ms + e.output::int * 6, t.input, t.output, true,
     (t.input * m.cost_input + t.output * m.cost_output) / 1e6, m.cost_currency, at
   from demo_exchanges e
   join models m on m.id = e.model_id
   cross join lateral (select ceil(e.input / ${TOKEN}.0)::int as input, ceil(e.output / ${TOKEN}.0)::int as output) t
   order by at, no`,
]
