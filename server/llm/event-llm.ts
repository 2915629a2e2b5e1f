import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { AppError } from '#server/lib/errors.ts'
import type { Connection, Parameter } from './connection.ts'
import { LlmError, unreachable } from './errors.ts'
import type { Llm, LlmEnd, LlmRequest, OnText, OnTool, ToolDelta } from './llm.ts'
import { readInPieces } from './pace.ts'
import {
  abortError,
  type ByteBudget,
  bodyOf,
  type ErrorRules,
  imagesInFlight,
  type Part,
  rejection,
} from './request.ts'

interface Dialect<Wire extends object> {
  path: (model: string) => string
  /** Parameters that its models may reject. */
  parameters: (request: LlmRequest) => Parameter<Wire>[]
  parts: (request: LlmRequest, wire: Wire) => Iterable<Part>
  errors?: ErrorRules
  createReader: () => AnswerReader
}

const headers = { accept: 'text/event-stream' }

/** A model behind an API that streams its answer as events. */
export function eventLlm<Wire extends object>(
  { post, forms }: Connection,
  { path, parameters, parts, errors, createReader }: Dialect<Wire>,
  timeouts: ModelTimeouts = usualTimeouts,
  budget: ByteBudget = imagesInFlight,
): Llm {
  return async (request, signal, onText) => {
    const silence = watchSilence(signal, timeouts)
    const ask = async (wire: Wire) => {
      // No variable holds the body, so it can be collected as soon as it is sent.
      const body = () => bodyOf([...parts(request, wire)], request, budget, silence.signal)
      const response = await post(path(request.model), { headers, body, signal: silence.signal })
      if (response.statusCode !== 200) throw await rejection(response, errors)
      return response
    }
    try {
      const caller = request.isOfProgram ? request.userId : undefined
      const response = await forms.ask(request.model, parameters(request), ask, caller)
      const { onThought, onTool } = request
      return await readEvents(response, createReader(), { signal, onText, onThought, onTool, onSign: silence.broken })
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}

export interface AnswerDelta {
  text?: string
  thought?: string
  tools?: ToolDelta[]
  /** The model is thinking, although it shows nothing of it. */
  isThinking?: boolean
  /** Nothing follows, although the connection may stay open. */
  isLast?: boolean
}

export interface AnswerReader {
  /** Reads one `data:` of the stream. */
  read: (data: string) => AnswerDelta
  /** The end, if the model named one; null when the stream was cut off. */
  end: () => LlmEnd | null
}

interface Listeners {
  signal: AbortSignal
  onText: OnText
  onThought?: OnText | undefined
  onTool?: OnTool | undefined
  onSign: (sign: 'text' | 'thought') => void
}

const HANG_UP_MS = 5000

/** Reads an answer until its stream ends. The text of one socket chunk is passed on in one call. */
function readEvents(
  response: IncomingMessage,
  reader: AnswerReader,
  { signal, onText, onThought, onTool, onSign }: Listeners,
): Promise<LlmEnd> {
  let hasText = false
  return new Promise((done, fail) => {
    const decoder = new StringDecoder('utf8')
    const lines = dataLines()
    const receive = (chunk: string) => {
      let text = ''
      let thought = ''
      const tools: ToolDelta[] = []
      let isThinking = false
      let isOver = false
      try {
        for (const data of lines(chunk)) {
          const added = reader.read(data)
          text += added.text ?? ''
          thought += added.thought ?? ''
          if (added.tools) tools.push(...added.tools)
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
        if (tools.length > 0) onSign('text')
        for (const tool of tools) onTool?.(tool)
      }
      if (isOver) finish(cutOff)
    }
    const cutOff = () => new LlmError('down', { reason: hasText ? 'stream-cut' : 'empty-stream' })
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
    const takeLast = readInPieces(response, (bytes) =>
      attempt(() => {
        if (!signal.aborted) receive(decoder.write(bytes))
      }),
    )
    response.on('end', () =>
      attempt(() => {
        takeLast()
        receive(`${decoder.end()}\n`)
        finish(cutOff)
      }),
    )
    // After the named end a broken connection does not matter.
    response.on('error', (error) => {
      takeLast()
      finish(() => error)
    })
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

export function parseEvent<T>(data: string, schema: EventSchema<T>): T {
  return checkEvent(parseJson(data), schema)
}

export function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new LlmError('down', { reason: 'not-json' })
  }
}

export function checkEvent<T>(json: unknown, schema: EventSchema<T>): T {
  const parsed = schema.safeParse(json)
  if (!parsed.success || parsed.data === undefined) throw new LlmError('down', { reason: 'unknown-answer' })
  return parsed.data
}

/** How long a model may send nothing. */
export interface ModelTimeouts {
  /** Until the first text or reasoning. */
  firstTokenMs: number
  /** Between two chunks of text or reasoning; comments and empty deltas do not count. */
  silenceMs: number
  /** All reasoning of one answer. */
  thinkingMs: number
}

export const usualTimeouts: ModelTimeouts = { firstTokenMs: 90_000, silenceMs: 60_000, thinkingMs: 600_000 }

interface Timer {
  refresh: () => void
  end: () => void
}

/** A timer that fires this late means that the process itself was frozen. */
const FROZEN_MS = 1000
/** Time to read what has arrived in the socket meanwhile. */
const CATCH_UP_MS = 2000

/**
 * A timer that gives a process which was frozen time to read its socket before the action. Every chunk refreshes it, so
 * that only moves the time; the timer itself is set again when it rings too early.
 */
function startTimer(ms: number, action: () => void): Timer {
  let due = performance.now() + ms
  let timer = setTimeout(ring, ms)
  function ring() {
    const late = performance.now() - due
    if (late > FROZEN_MS) due += late + CATCH_UP_MS
    // Timers count whole milliseconds and may ring a moment early.
    else if (late > -1) return action()
    timer = setTimeout(ring, due - performance.now())
  }
  return {
    refresh: () => {
      due = performance.now() + ms
    },
    end: () => clearTimeout(timer),
  }
}

/** Aborts a request when the provider is silent for too long, and explains whether that or the caller ended it. */
function watchSilence(outer: AbortSignal, { firstTokenMs, silenceMs, thinkingMs }: ModelTimeouts) {
  const own = new AbortController()
  const giveUpAfter = (ms: number) => startTimer(ms, () => own.abort())
  let timer = giveUpAfter(firstTokenMs)
  let isBroken = false
  let thinkingLeft = thinkingMs
  let thinking: { timer: Timer; since: number } | null = null

  function stopThinking(): void {
    if (!thinking) return
    thinking.timer.end()
    thinkingLeft -= performance.now() - thinking.since
    thinking = null
  }

  return {
    signal: AbortSignal.any([outer, own.signal]),
    broken: (sign: 'text' | 'thought') => {
      if (sign === 'text') stopThinking()
      else thinking ??= { timer: giveUpAfter(Math.max(0, thinkingLeft)), since: performance.now() }
      if (isBroken) {
        timer.refresh()
        return
      }
      isBroken = true
      timer.end()
      timer = giveUpAfter(silenceMs)
    },
    explain: (error: unknown): unknown => {
      if (error instanceof LlmError || error instanceof AppError) return error
      if (outer.aborted) return abortError(outer)
      if (own.signal.aborted) return new LlmError('timeout', { reason: 'silent' })
      return unreachable(error)
    },
    hangUp: () => own.abort(),
    end: () => {
      timer.end()
      stopThinking()
    },
  }
}
