import { expect, onTestFinished, test, vi } from 'vitest'
import type { Message, Thread } from '#contract/threads.ts'
import { docxFile } from './file.ts'

const answer = '## Заголовок\n\nТекст с **жирным** и `кодом`.\n\n- раз\n- два\n\n| а | б |\n|---|---|\n| 1 | 2 |\n\n'
const message = {
  role: 'assistant',
  content: answer.repeat(5),
  files: [],
  citations: [],
  error: null,
} as unknown as Message

test('the event loop is not blocked while a long document is made', async () => {
  let turn = 0
  let next = setImmediate(function count() {
    turn++
    next = setImmediate(count)
  })
  // At every reading of the clock the allowed time is over.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
  onTestFinished(() => clock.mockRestore())
  const seen = new Set<number>()
  await docxFile({
    owner: 'Анна',
    bytes: 100_000,
    thread: { title: 'Долгая', createdAt: '2026-03-05T12:00:00.000Z' } as Thread,
    messages: Array<Message>(150).fill(message),
    summaries: [],
    speakerOf: () => {
      seen.add(turn)
      return 'Модель'
    },
  })
  clearImmediate(next)
  expect(seen.size).toBe(150)
})
