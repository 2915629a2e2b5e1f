import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { kindOf, LlmError, type LlmErrorKind } from './errors.ts'
import type { LlmEnd, OnText } from './llm.ts'
import { retryAfterMs } from './post-json.ts'

export const MAX_ERROR_TEXT = 4000
const HANG_UP_MS = 5000

/** The beginning of a response, as much as an error needs. */
export async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_ERROR_TEXT) break
  }
  return text.slice(0, MAX_ERROR_TEXT)
}

/** What each vendor's errors mean. */
export interface ErrorRules {
  kind: (status: number, text: string) => LlmErrorKind
  /** A time to wait that is not in the headers. */
  waitMs?: (text: string) => number | null
}

/** The error of a response that is not 200. */
export async function rejection(
  response: IncomingMessage,
  { kind, waitMs = () => null }: ErrorRules = { kind: kindOf },
): Promise<LlmError> {
  const text = await readText(response)
  const status = response.statusCode ?? 0
  const wait = retryAfterMs(response.headers) ?? waitMs(text)
  return new LlmError(kind(status, text), `${status} ${text}`, undefined, undefined, wait)
}

/** What an event adds to the answer. */
export interface Added {
  text?: string
  thought?: string
  /** The model is thinking, although it shows nothing of it. */
  isThinking?: boolean
  /** Nothing follows, although the connection may stay open. */
  isLast?: boolean
}

export interface AnswerReader {
  /** Reads one `data:` of the stream. */
  read: (data: string) => Added
  /** The end, if the model named one; null when the stream was cut off. */
  end: () => LlmEnd | null
}

export interface Listeners {
  signal: AbortSignal
  onText: OnText
  onThought?: OnText | undefined
  onSign: (sign: 'text' | 'thought') => void
}

/** Reads an answer until its stream ends. What came in one socket chunk is passed on in one call. */
export function readEvents(
  response: IncomingMessage,
  reader: AnswerReader,
  { signal, onText, onThought, onSign }: Listeners,
): Promise<LlmEnd> {
  let hasText = false
  return new Promise((done, fail) => {
    const decoder = new StringDecoder('utf8')
    const lines = dataLines()
    const receive = (chunk: string) => {
      let text = ''
      let thought = ''
      let isThinking = false
      let isOver = false
      try {
        for (const data of lines(chunk)) {
          const added = reader.read(data)
          text += added.text ?? ''
          thought += added.thought ?? ''
          isThinking ||= added.isThinking ?? false
          isOver ||= added.isLast ?? false
        }
      } finally {
        if (thought !== '' || isThinking) onSign('thought')
        if (thought !== '') onThought?.(thought)
        if (text !== '') {
          hasText = true
          onSign('text')
          onText(text)
        }
      }
      if (isOver) finish(cutOff)
    }
    const cutOff = () => new LlmError('down', hasText ? 'the stream broke off' : 'the stream was empty')
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (error) {
        response.destroy()
        fail(error)
      }
    }
    const finish = (whenCut: () => unknown) => {
      const end = reader.end()
      // The connection can be reused if the provider ends the response soon.
      if (!response.complete) setTimeout(() => response.destroy(), HANG_UP_MS).unref()
      if (end && !signal.aborted) done(end)
      else fail(whenCut())
    }
    response.on('data', (bytes: Buffer) => attempt(() => receive(decoder.write(bytes))))
    response.on('end', () =>
      attempt(() => {
        receive(`${decoder.end()}\n`)
        finish(cutOff)
      }),
    )
    // After the named end a broken connection does not matter.
    response.on('error', (error) => finish(() => error))
  })
}

/** Splits a stream of server-sent events into its `data:` lines; ignores comments and other fields. */
function dataLines(): (text: string) => string[] {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const found: string[] = []
    for (const line of lines) {
      const data = dataOf(line)
      if (data !== null) found.push(data)
    }
    return found
  }
}

function dataOf(line: string): string | null {
  if (!line.startsWith('data:')) return null
  const from = line.charCodeAt(5) === 32 ? 6 : 5
  return line.endsWith('\r') ? line.slice(from, -1) : line.slice(from)
}

interface EventSchema<T> {
  safeParse: (json: unknown) => { success: boolean; data?: T }
}

/** Parses the JSON of an event by its schema. */
export function parseEvent<T>(data: string, schema: EventSchema<T>): T {
  return checkEvent(parseJson(data), data, schema)
}

export function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new LlmError('down', `not JSON: ${data.slice(0, 200)}`, cause)
  }
}

export function checkEvent<T>(json: unknown, data: string, schema: EventSchema<T>): T {
  const parsed = schema.safeParse(json)
  if (!parsed.success || parsed.data === undefined) throw new LlmError('down', `unknown event: ${data.slice(0, 200)}`)
  return parsed.data
}
