import type { AnswerEvent } from './answers.ts'
import type { TryEvent } from './assistants.ts'
import { ApiError } from './errors.ts'
import type { WebStage } from './web-search.ts'

/** The text format of an answer's event stream; only this file writes and reads it. */

export function writeAnswerEvent(event: AnswerEvent | TryEvent): string {
  if (event.type === 'delta') {
    const last = 'last' in event && event.last ? ',"last":true' : ''
    return `event: delta\nid: ${event.offset}\ndata: {"text":${JSON.stringify(event.text)}${last}}\n\n`
  }
  // A thought has no id: the id belongs to the text.
  const { type, ...data } = event
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The fields that a reader requires, by the name of the event. The server has checked the rest. */
type Needs<Event extends { type: string }> = {
  [Type in Event['type']]: { [Field in keyof Extract<Event, { type: Type }>]?: 'string' | 'number' | 'object' }
}

const delta = { offset: 'number', text: 'string' } as const
const error = { code: 'string', message: 'string' } as const
const answerEvents: Needs<AnswerEvent> = {
  start: { user: 'object', assistant: 'object' },
  delta,
  thought: delta,
  stage: { stage: 'object' },
  'stage-end': { citations: 'object', web: 'object' },
  done: { message: 'object', charged: 'number', SingleSubscription: 'object' },
  error,
}
const stages: Record<WebStage['type'], true> = { search: true, read: true }
const isNamedStage = (stage: { type?: string } | null) => Object.hasOwn(stages, stage?.type ?? '')
const tryEvents: Needs<TryEvent> = { delta, done: { text: 'string', charged: 'number' }, error }

/** Unknown events are skipped. A body that ends without `done` or `error` was interrupted: attach again. */
export const readAnswerEvents = (body: ReadableStream<Uint8Array>) => readEvents<AnswerEvent>(body, answerEvents)
/** The same for a try-out, which has its own `done`. */
export const readTryEvents = (body: ReadableStream<Uint8Array>) => readEvents<TryEvent>(body, tryEvents)

async function* readEvents<Event extends { type: string }>(
  body: ReadableStream<Uint8Array>,
  needs: Record<string, object>,
): AsyncGenerator<Event> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = readBlock(block, needs)
        if (event) yield event as unknown as Event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function readBlock(block: string, needs: Record<string, object>): Record<string, unknown> | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  const type = fields.event ?? ''
  // A newer server may send events that this reader does not know.
  if (!Object.hasOwn(needs, type)) return null
  const event: Record<string, unknown> = { ...(parseJson(fields.data) as object | null), type }
  if (fields.id !== undefined) event.offset = Number(fields.id)
  const isWhole = Object.entries(needs[type] ?? {}).every(([name, kind]) => typeof event[name] === kind)
  if (!isWhole) throw new ApiError({ status: 200, code: 'bad_answer', message: 'Unknown stream error' })
  // A newer server may send stages that this page does not know.
  if (type === 'stage' && !isNamedStage(event.stage as { type?: string })) return null
  return event
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
