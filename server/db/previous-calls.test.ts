import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/testing/database.ts'
import type { Database } from './client.ts'

/**
 * SQL function calls exactly as earlier builds send them: during a rolling upgrade they run on the functions of this
 * build. A call is removed one release after the last build that sends it.
 */

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await database.execute(`insert into users (id, name, email) values ('u', 'u', 'u@example.test')`)
})
afterAll(() => database.close())

const NOW = '2026-11-15T12:00:00.000Z'
const LEASE = '2026-11-15T12:04:00.000Z'
const DAY = '2026-11-15'

/** Each with its result after the ones before it. `ffced95` and, where it differs, `2ee3fd5`. */
const calls: [string, string, unknown[], unknown][] = [
  [
    'money_grant',
    'select money_grant($1, $2, $3, $4, $5, $6::timestamptz, $7::jsonb, $8::timestamptz) as value',
    ['gift:u', 'g1', 'u', 'gift', 1000, null, '{"note":"start"}', NOW],
    'done',
  ],
  [
    'money_hold of 8 arguments',
    'select money_hold($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7::date, $8::int) as value',
    ['h1', 'u', 'answer', 200, LEASE, NOW, DAY, 3],
    'held',
  ],
  [
    'money_hold without a limit',
    'select money_hold($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7::date, $8::int) as value',
    ['h2', 'u', 'translate', 100, LEASE, NOW, DAY, null],
    'held',
  ],
  [
    'money_hold over its limit',
    'select money_hold($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7::date, $8::int) as value',
    ['h3', 'u', 'answer', 10, LEASE, NOW, DAY, 1],
    'busy',
  ],
  [
    'money_hold of 7 arguments (2ee3fd5)',
    'select money_hold($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7::date) as value',
    ['h4', 'u', 'answer', 50, LEASE, NOW, DAY],
    'held',
  ],
  [
    'money_extend',
    'select money_extend($1, $2, $3::timestamptz, $4::timestamptz, $5::date) as value',
    ['h1', 300, LEASE, NOW, DAY],
    'held',
  ],
  [
    'money_settle',
    'select money_settle($1, $2, $3::jsonb, $4::timestamptz, $5::date) as value',
    ['h1', 250, '{"modelId":"demo","input":100,"output":150,"inputRate":1,"outputRate":1}', NOW, DAY],
    'done',
  ],
  [
    'money_settle repeated',
    'select money_settle($1, $2, $3::jsonb, $4::timestamptz, $5::date) as value',
    ['h1', 250, '{}', NOW, DAY],
    'repeated',
  ],
  [
    'money_settle as a release',
    'select money_settle($1, $2, $3::jsonb, $4::timestamptz, $5::date) as value',
    ['h2', 0, '{}', NOW, DAY],
    'done',
  ],
  [
    'money_spend',
    'select money_spend($1, $2, $3, $4, $5::jsonb, $6::timestamptz, $7::date)::int as value',
    ['s1', 'u', 'translate', 100, '{"input":100}', NOW, DAY],
    100,
  ],
  [
    'money_withdraw',
    'select money_withdraw($1, $2, $3, $4, $5::timestamptz)::int as value',
    ['w1', 'u', 50, 'a mistake', NOW],
    50,
  ],
  [
    'money_take_back',
    'select money_take_back($1, $2, $3, $4::jsonb, $5::timestamptz)::int as value',
    ['b1', 'g1', 'refund', '{"amount":100,"currency":"RUB"}', NOW],
    550,
  ],
  ['money_lock', 'select user_id as value from money_lock($1, $2::timestamptz)', ['u', NOW], 'u'],
  ['stat_fold', 'select stat_fold() as value', [], true],
  [
    'audit_append',
    'select audit_append($1)::int as value',
    [
      `{"at":"${NOW}","actorId":"u","actorEmail":"owner@example.test","act":"probe","kind":"user","target":"u","before":null,"after":null,"note":null,"ip":null,"userAgent":null,"requestId":null}`,
    ],
    1,
  ],
]

test.each(calls)('%s is answered as before', async (_, text, values, answer) => {
  const { rows } = await database.execute(text, values)
  expect((rows[0] as { value: unknown }).value).toEqual(answer)
})
