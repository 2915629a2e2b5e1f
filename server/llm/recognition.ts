import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import type { RunningOperation } from './llm.ts'
import { abortError, retryAfterMs, withRetry } from './request.ts'

/** The transcript of four hours with the time of each word has about 10 MB. */
const MAX_ANSWER = 64 * 1024 * 1024
const TRIES = 3
const MAX_WAIT_MS = 60_000

/** Parts of polling that tests make shorter. */
export interface Patience {
  /** The first pause; each further one is half longer, up to `mostMs`. */
  pollMs: number
  mostMs: number
  /** Added to the length of the recording. */
  baseMs: number
  retryMs: number
}

export const usualPatience: Patience = { pollMs: 2000, mostMs: 15_000, baseMs: 30 * 60_000, retryMs: 1000 }

/** Polls until `ask` has a result. Failures of the service are temporary as long as there is time. */
export async function poll<Result>(
  ask: (signal: AbortSignal) => Promise<Result | 'running'>,
  { seconds }: Pick<RunningOperation, 'seconds'>,
  signal: AbortSignal,
  patience: Patience,
): Promise<Result> {
  const time = AbortSignal.timeout(patience.baseMs + Math.ceil((seconds ?? 0) * 1000))
  const both = AbortSignal.any([signal, time])
  for (let wait = patience.pollMs; ; wait = Math.min(wait * 1.5, patience.mostMs)) {
    try {
      const result = await ask(both)
      if (result !== 'running') return result
    } catch (error) {
      signal.throwIfAborted()
      if (time.aborted) throw new LlmError('timeout', { reason: 'late' })
      if (!(error instanceof LlmError) || !error.isTemporary) throw error
    }
    await pause(wait, undefined, { signal: both }).catch(() => {
      throw abortError(both)
    })
  }
}

/** Sends again what did not arrive. A recording is streamed, so it is read from the storage once more. */
export function sendAgain(
  open: (signal: AbortSignal) => Promise<IncomingMessage>,
  { seconds }: Pick<RunningOperation, 'seconds'>,
  signal: AbortSignal,
  { retryMs, baseMs }: Patience,
): Promise<string> {
  const send = async () => {
    const both = AbortSignal.any([signal, AbortSignal.timeout(baseMs + Math.ceil((seconds ?? 0) * 1000))])
    return readAnswer(open(both), both)
  }
  return withRetry(send, signal, {
    tries: TRIES,
    waitMs: (attempt) => retryMs * 3 ** (attempt - 1),
    mayRetry: (error) => error.isTemporary,
    maxWaitMs: MAX_WAIT_MS,
  })
}

/** The text of a response; other statuses than 200 and broken connections become errors. */
export async function readAnswer(opening: Promise<IncomingMessage>, signal: AbortSignal): Promise<string> {
  try {
    const response = await opening
    let text = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      text += chunk
      if (text.length > MAX_ANSWER) throw new LlmError('down', { reason: 'answer-without-end' })
    }
    const { statusCode: status = 0, headers } = response
    if (status !== 200) throw rejectedBy({ status, text, headers, retryAfterMs: retryAfterMs(headers) })
    return text
  } catch (error) {
    if (error instanceof LlmError) throw error
    if (signal.aborted) throw abortError(signal)
    throw unreachable(error)
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new LlmError('down', { reason: 'not-json' })
  }
}

/** The values of a text that has several JSON objects one after another, whatever is between them. */
export function jsonObjects(text: string): unknown[] {
  const found: unknown[] = []
  let [depth, from, isString] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isString) {
      if (sign === '\\') at += 1
      else if (sign === '"') isString = false
    } else if (sign === '"') isString = true
    else if (sign === '{') {
      if (depth === 0) from = at
      depth += 1
    } else if (sign === '}') {
      depth -= 1
      if (depth === 0) found.push(parseJson(text.slice(from, at + 1)))
    }
  }
  if (depth !== 0) throw new LlmError('down', { reason: 'stream-cut' })
  return found
}
