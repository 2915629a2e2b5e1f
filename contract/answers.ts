import * as z from 'zod/mini'
import type { TryEvent } from './assistants.ts'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { ApiError, ErrorBody } from './errors.ts'
import { MAX_MESSAGE_FILES } from './files.ts'
import { idList } from './id-list.ts'
import { Thinking } from './models.ts'
import { Citation, Id, MAX_MESSAGE, Message } from './threads.ts'
import { MAX_NAMED_PAGES, WebSearch, WebStage, WebUse } from './web-search.ts'

const NamedPages = z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(MAX_NAMED_PAGES))

export const SendMessage = z.strictObject({
  content: z.string().check(z.maxLength(MAX_MESSAGE)),
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(Id),
  /** The message that it replies to. Null starts a new root; omitted, it goes to the end of the current branch. */
  parentId: z.optional(z.nullable(z.string())),
  modelId: z.optional(z.string()),
  fileIds: z.optional(idList(MAX_MESSAGE_FILES, 0)),
  /** The caller's own image that is to be changed; only for models that can. */
  imageId: z.optional(Id),
  /** Only for models that can think. */
  thinking: z.optional(Thinking),
  web: z.optional(WebSearch),
  /** Pages to read before the answer; their addresses must be in the content. */
  pages: z.optional(NamedPages),
  /** Personal data is not masked this time, even if the settings ask for it. */
  asIs: z.optional(z.boolean()),
})
export type SendMessage = z.infer<typeof SendMessage>

export const AnswerEvent = z.discriminatedUnion('type', [
  /** Both messages as stored. A client with more text drops it: the stored text is the truth. */
  z.object({ type: z.literal('start'), user: Message, assistant: Message }),
  /**
   * `offset` is the length of the text after this delta, and the id to resume from. `last`: the model has finished, and
   * the answer is being stored.
   */
  z.object({ type: z.literal('delta'), offset: z.int(), text: z.string(), last: z.optional(z.boolean()) }),
  /** The same for the thought; `Last-Thought-ID` says how much of it a reader has. */
  z.object({ type: z.literal('thought'), offset: z.int(), text: z.string() }),
  z.object({ type: z.literal('stage'), stage: WebStage }),
  /** The last stage has ended and the model is called. With the citations, which the numbers in the text open. */
  z.object({ type: z.literal('stage-end'), citations: z.array(Citation), web: z.nullable(WebUse) }),
  z.object({ type: z.literal('done'), message: Message, charged: z.int(), SingleSubscription }),
  z.extend(ErrorBody, { type: z.literal('error') }),
])
export type AnswerEvent = z.infer<typeof AnswerEvent>

export type StageEvent = Extract<AnswerEvent, { type: 'stage' | 'stage-end' }>

/** The answer for a caller that does not accept a stream. */
export const FinishedMessage = z.extend(Message, { SingleSubscription })
export type FinishedMessage = z.infer<typeof FinishedMessage>

const answerAgainFields = {
  modelId: z.optional(z.string()),
  thinking: z.optional(Thinking),
  /** Personal data is not masked this time. */
  asIs: z.optional(z.boolean()),
}
export const AnswerAgain = z.strictObject(answerAgainFields)
export type AnswerAgain = z.infer<typeof AnswerAgain>

/** Unlike a continued answer, which keeps its pages, a regenerated one searches and reads again. */
export const Regenerate = z.strictObject({
  ...answerAgainFields,
  web: z.optional(WebSearch),
  pages: z.optional(NamedPages),
})
export type Regenerate = z.infer<typeof Regenerate>

export const answersApi = {
  send: endpoint('POST', '/api/threads/:id/message', {
    who: 'user',
    summary: 'Написать сообщение и получить ответ: поток событий start, delta, done, error',
    body: SendMessage,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  regenerate: endpoint('POST', '/api/threads/:id/message/:messageId/regenerate', {
    who: 'user',
    summary: 'Ещё один ответ на тот же вопрос, прежний остаётся; messageId вопроса или ответа',
    body: Regenerate,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  continue: endpoint('POST', '/api/threads/:id/message/:messageId/continue', {
    who: 'user',
    summary: 'Продолжить ответ с того места, где он кончился',
    body: AnswerAgain,
    answers: 'stream',
    returns: FinishedMessage,
  }),
  stream: endpoint('GET', '/api/threads/:id/message/:messageId/stream', {
    who: 'user',
    summary: 'Присоединиться к ответу; Last-Event-ID называет, сколько символов уже есть',
    answers: 'stream',
    returns: FinishedMessage,
  }),
  stop: endpoint('POST', '/api/threads/:id/message/:messageId/stop', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Остановить ответ; messageId вопроса или ответа',
    returns: Message,
  }),
}

/** The text format of an answer's event stream; only these functions write and read it. */

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
const stages: Record<WebStage['type'], true> = { search: true, read: true, words: true }
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
