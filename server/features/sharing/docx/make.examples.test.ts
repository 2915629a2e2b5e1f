import { expect, test } from 'vitest'
import { longestPause } from '#contract/testing/worst-texts.ts'
import type { Message, Thread } from '#contract/threads.ts'
import { makeDocx } from './make.ts'

const say = (content: string, role: Message['role'] = 'assistant') =>
  ({ role, content, files: [], citations: [], error: null, speaker: 'Модель' }) as unknown as Message & {
    speaker: string
  }
const thread = { title: 'Долгая', createdAt: '2026-03-05T12:00:00.000Z' } as Thread

test('a long senseless document does not delay other people (S10.522)', {
  timeout: 120_000,
}, async () => {
  const messages = [say(']'.repeat(8000)), say('*a_'.repeat(2000)), say('a\n'.repeat(200_000), 'user')]
  let made: Uint8Array = new Uint8Array()
  // The thread has a processor of its own, so that only the time of the clock says who waits.
  const pause = await longestPause(async () => {
    made = await makeDocx('anna', { type: 'thread', owner: 'Анна', thread, messages })
  })
  expect(Buffer.from(made).toString('latin1', 0, 2)).toBe('PK')
  expect(pause).toBeLessThan(200)
})

test('documents of one person wait for each other, others do not wait (S10.1623)', {
  timeout: 120_000,
}, async () => {
  const heavy = [say('- a\n'.repeat(20_000))]
  const done: string[] = []
  const makes = (name: string, userId: string, messages: ReturnType<typeof say>[]) =>
    makeDocx(userId, { type: 'thread', owner: name, thread, messages }).then(() => done.push(name))
  await Promise.all([
    makes('long', 'anna', heavy),
    makes('longer', 'anna', [...heavy, ...heavy]),
    makes('third', 'anna', [say('а')]),
    makes('short', 'boris', [say('б')]),
  ])
  expect(done).toEqual(['short', 'long', 'longer', 'third'])
})
