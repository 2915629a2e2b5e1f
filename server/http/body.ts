import type { HonoRequest } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import { createBodyBudget } from './body-budget.ts'

/** How long a body may take, and how long its client may send nothing. */
export interface BodyTimes {
  wholeMs: number
  silentMs: number
}

export interface BodyTerms {
  mostBytes: number
  /** Who sends it: a user's id, or the network of a stranger. */
  caller: string
  times?: BodyTimes
}

type WithRequest = { req: HonoRequest }

/** A body in memory. It is counted as such until it is released. */
export interface Body {
  bytes: Buffer
  release: () => void
}

const MB = 1024 * 1024
const usualTimes: BodyTimes = { wholeMs: 120_000, silentMs: 15_000 }

/** A body of 25 MB takes about six times as much while it is parsed and sent on. */
const bodiesInFlight = createBodyBudget({ processBytes: 96 * MB, callerBytes: 48 * MB })

/** Short bodies pass when a few callers have filled the budget with long ones. */
const SMALL_BYTES = 64 * 1024
const uncounted = { add: () => undefined, release: () => undefined }
const isSmall = (c: WithRequest, mostBytes: number) =>
  Math.min(mostBytes, Number(c.req.header('content-length') ?? mostBytes)) <= SMALL_BYTES

/** Throws 413 before anything is read, where the client says how much it sends. */
export function assertShort(c: WithRequest, mostBytes: number): void {
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes)
}

/** Reads a body of limited size and cuts a slow one. */
export async function readBody(c: WithRequest, terms: BodyTerms): Promise<Body> {
  const { mostBytes, caller, times = usualTimes } = terms
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity')
    throw new AppError('unsupported_media_type', 'Сжатые запросы не принимаются. Отправьте его без Content-Encoding.')
  assertShort(c, mostBytes)
  const reader = c.req.raw.body?.getReader()
  if (!reader) return { bytes: Buffer.alloc(0), release: () => undefined }
  const taken = isSmall(c, mostBytes) ? uncounted : bodiesInFlight.open(caller)
  const chunks: Uint8Array[] = []
  let bytes = 0
  const end = performance.now() + times.wholeMs
  try {
    for (;;) {
      const part = await within(Math.min(times.silentMs, end - performance.now()), reader.read())
      if (part === 'late') throw new AppError('request_timeout', 'Запрос передаётся слишком медленно.')
      if (part.done) return { bytes: Buffer.concat(chunks), release: taken.release }
      bytes += part.value.length
      if (bytes > mostBytes) throw tooLarge(mostBytes)
      taken.add(part.value.length)
      chunks.push(part.value)
    }
  } catch (error) {
    taken.release()
    void reader.cancel().catch(() => undefined)
    throw error
  }
}

/** The body counts until the work has ended. */
export async function withBody<T>(
  c: WithRequest,
  terms: BodyTerms,
  work: (bytes: Buffer) => Promise<T> | T,
): Promise<T> {
  const { bytes, release } = await readBody(c, terms)
  try {
    return await work(bytes)
  } finally {
    release()
  }
}

function tooLarge(most: number): AppError {
  const size = most < MB ? `${Math.floor(most / 1024)} КБ` : `${Math.floor(most / MB)} МБ`
  return new AppError('payload_too_large', `Запрос слишком большой: не больше ${size}.`)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((done) => {
    timer = setTimeout(() => done('late'), Math.max(0, ms))
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
