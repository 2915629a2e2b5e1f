import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Db } from '#server/db/client.ts'
import { threads } from '#server/db/schema.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat } from './testing/chat.ts'

const chat = await closeAfterTests(startChat())

/** Statements of timers, which do not belong to a request. */
const BY_THE_CLOCK = /\binstances\b|^select "id" from "messages" where \("messages"."instance"/

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { $client } = chat.app.db as Db & { $client: { query: (...args: unknown[]) => unknown } }
  const query = $client.query
  const texts: string[] = []
  $client.query = (...args) => {
    const [first] = args
    texts.push(typeof first === 'string' ? first : (first as { text: string }).text)
    return query(...args)
  }
  try {
    await work()
  } finally {
    $client.query = query
  }
  return texts.filter((text) => !BY_THE_CLOCK.test(text))
}

const titleOf = async (thread: string) =>
  (await chat.app.db.select().from(threads).where(eq(threads.id, thread)))[0]?.title

test('a question takes three or four statements, and its answer takes two (S10.410)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  chat.provider.play(says('Минск'), says('Столица'))
  const first = await statementsOf(async () => (await anna.send(thread, { content: 'Столица?' })).message())
  await expect.poll(() => titleOf(thread)).toBe('Столица')
  chat.provider.play(says('Два миллиона'))
  const second = await statementsOf(async () => (await anna.send(thread, { content: 'Сколько людей?' })).message())
  // Session, thread, start, end and balance. Naming a new thread may begin before the last event.
  const naming = first.filter((text) => text.includes('thread_gpt_name') || text.includes('successor_id'))
  expect(first.length - naming.length).toBeLessThanOrEqual(5)
  expect(second.map((text) => text.slice(0, 60))).toHaveLength(6)
})

test('a new thread gets its name with three statements, only once (S10.410)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  chat.provider.play(says('Минск'), says('Город'))
  const texts = await statementsOf(async () => {
    await (await anna.send(thread, { content: 'Столица?' })).message()
    await expect.poll(() => chat.provider.received.length).toBeGreaterThan(0)
    await expect.poll(() => titleOf(thread)).toBe('Город')
  })
  const polls = texts.filter((text) => text.startsWith('select "id", "user_id", "title"'))
  expect(texts.length - polls.length).toBeLessThanOrEqual(8)
})
