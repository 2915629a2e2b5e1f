import { expect, test } from 'vitest'
import { type AnswerEvent, readAnswerEvents, writeAnswerEvent } from './answers.ts'

const events: AnswerEvent[] = [
  { type: 'thought', offset: 9, text: 'Подумаю…\n' },
  { type: 'delta', offset: 8, text: 'Привет 😀' },
  { type: 'delta', offset: 9, text: '!', last: true },
  { type: 'delta', offset: 20, text: 'строка\n\ndata: {"text":"не событие"}\n' },
  { type: 'error', status: 502, code: 'model_failed', message: 'Модель не отвечает.' },
]

/** A body that arrives in pieces of so many bytes. */
function bodyOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}

async function read(body: ReadableStream<Uint8Array>) {
  const received: AnswerEvent[] = []
  for await (const event of readAnswerEvents(body)) received.push(event)
  return received
}

test.each([1, 2, 3, 7, 64, 10_000])('written events are read again, in chunks of %i bytes', async (size) => {
  expect(await read(bodyOf(events.map(writeAnswerEvent).join(''), size))).toEqual(events)
})

test('an event has a name, the offset as its id, and data', () => {
  expect(writeAnswerEvent({ type: 'delta', offset: 3, text: 'ура' })).toBe(
    'event: delta\nid: 3\ndata: {"text":"ура"}\n\n',
  )
})

test('comments are ignored, and a stream may end without a final event', async () => {
  const [first] = events
  expect(await read(bodyOf(`: ping\n\n${first && writeAnswerEvent(first)}event: delta\nid: 9`, 5))).toEqual([first])
})

test('an event that cannot be read is «Unknown stream error» (S8.2)', async () => {
  const body = bodyOf('event: delta\nid: 3\ndata: {"words":1}\n\n', 100)
  await expect(read(body)).rejects.toMatchObject({ message: 'Unknown stream error' })
})

test('events of an unknown name are skipped, later events are read (S10.310, S10.371)', async () => {
  const text = `event: surprise\ndata: {"words":1}\n\n${events.map(writeAnswerEvent).join('')}`
  expect(await read(bodyOf(text, 100))).toEqual(events)
})

test('a thought has its offset in its data, not in the id', () => {
  expect(writeAnswerEvent({ type: 'thought', offset: 3, text: 'хм…' })).toBe(
    'event: thought\ndata: {"offset":3,"text":"хм…"}\n\n',
  )
})

test('a stage before the first word is an event', async () => {
  const stage: AnswerEvent = { type: 'stage', stage: { type: 'search', query: 'кофе' } }
  expect(await read(bodyOf(writeAnswerEvent(stage), 64))).toEqual([stage])
})

test('an unknown stage is skipped, later events are read', async () => {
  const newer = 'event: stage\ndata: {"stage":{"type":"of-a-newer-release"}}\n\n'
  const stage: AnswerEvent = { type: 'stage', stage: { type: 'read', pages: 2 } }
  expect(await read(bodyOf(newer + writeAnswerEvent(stage), 64))).toEqual([stage])
})
