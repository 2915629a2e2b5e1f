import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { chunk, DONE, type Script } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { databaseAway } from '#server/testing/outage.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { startPrograms } from './testing/programs.ts'

const programs = await closeAfterTests(startPrograms())
const { db, provider, ask, makeKey } = programs
afterAll(async () => expect(await reconcile(db)).toEqual([]))

const words = Array.from({ length: 100 }, (_, n) => `слово номер ${n}, и ещё немного текста. `)
const text = words.join('')
const speaks: Script = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const word of words) {
    response.write(chunk(word))
    await pass(20)
  }
  response.end(chunk(null, 'stop') + DONE)
}

/** Reads a streamed answer and lets something happen to the database when it has come so far. */
async function readDuring(event: () => Promise<unknown>, after: string) {
  const { secret, userId } = await makeKey()
  provider.play(speaks)
  const body = { model: 'fast', messages: [{ role: 'user', content: 'Скажи' }], stream: true }
  const response = await ask(secret, '/chat/completions', body)
  let got = ''
  let happened: Promise<unknown> | null = null
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    got += decoder.decode(part as Uint8Array, { stream: true })
    if (happened === null && got.includes(after)) happened = event()
  }
  await happened
  const lines = got.split('\n\n').filter((line) => line.startsWith('data: {'))
  const delivered = lines.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '').join('')
  expect(got.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(delivered).toBe(text)
  const price = 5 + 2 * text.length
  expect(await balanceOf(db, userId)).toMatchObject({ availableTokens: 100_000 - price, held: 0 })
}

test('a database outage in the middle costs a program nothing (S10.976)', async () => {
  await readDuring(() => databaseAway(db, 1500), 'номер 20,')
})

test('a database outage at the end is waited for (S10.976)', async () => {
  await readDuring(() => databaseAway(db, 2500), 'номер 80,')
})

test.runIf(programs.app.url)('connections that the database ends are opened again (S10.976)', async () => {
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  await readDuring(() => db.execute(others), 'номер 20,')
})
