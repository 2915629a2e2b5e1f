import { expect, test } from 'vitest'
import { createTurns } from './fair-turns.ts'

const flush = () => new Promise((done) => setImmediate(done))

/** Enters and notes it. */
function startsOf(turns: ReturnType<typeof createTurns>) {
  const started: string[] = []
  const enter = (userId: string, signal?: AbortSignal) =>
    turns.enter(userId, signal).then(
      () => void started.push(userId),
      (error: unknown) => void started.push(`${userId}: ${(error as Error).name}`),
    )
  return { started, enter }
}

test('the next turn goes to whoever has the least running (S10.1222)', async () => {
  const turns = createTurns({ size: 2 })
  const { started, enter } = startsOf(turns)
  for (const userId of ['anna', 'anna', 'anna', 'anna', 'boris']) void enter(userId)
  await flush()
  expect(started).toEqual(['anna', 'anna'])
  turns.leave('anna')
  await flush()
  expect(started.at(-1)).toBe('boris')
})

test('nobody takes more turns than one person may (S10.1222)', async () => {
  const turns = createTurns({ size: 3, ofPerson: 1 })
  const { started, enter } = startsOf(turns)
  for (const userId of ['anna', 'anna', 'boris', 'boris']) void enter(userId)
  await flush()
  expect(started).toEqual(['anna', 'boris'])
  turns.leave('anna')
  await flush()
  expect(started).toEqual(['anna', 'boris', 'anna'])
})

test('who gives up leaves the queue, and a full queue refuses (S10.1222)', async () => {
  const turns = createTurns({ size: 1, queue: { most: 1, rejection: 'Слишком много.' } })
  const { started, enter } = startsOf(turns)
  const gone = new AbortController()
  void enter('anna')
  void enter('anna', gone.signal)
  void enter('anna')
  await flush()
  expect(started).toEqual(['anna', 'anna: AppError'])
  gone.abort()
  await flush()
  expect(started.at(-1)).toBe('anna: AbortError')
  turns.leave('anna')
  void enter('boris')
  await flush()
  expect(started.at(-1)).toBe('boris')
})
