import { AsyncLocalStorage } from 'node:async_hooks'

/** Traces of requests, answers and provider calls. Without a tracer every function here does nothing. */

export type Attributes = Record<string, string | number | boolean | null | undefined>

export interface SpanContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

export interface Span extends SpanContext {
  name: string
  set: (attributes: Attributes) => void
  end: (error?: unknown) => void
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal'
  attributes?: Attributes
  /** The caller's `traceparent`; asked for only while traces are on. */
  traceparent?: () => string | undefined
}

export type Tracer = (name: string, options: SpanOptions, parent: SpanContext | null) => Span

let tracer: Tracer | null = null
const current = new AsyncLocalStorage<Span>()

/** Null switches traces off. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Runs the work as a span; spans begun inside become its children, also after it has ended. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work(null)
  const parent = current.getStore() ?? readTraceparent(options.traceparent?.())
  const span = tracer(name, options, parent)
  try {
    const result = await current.run(span, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** Adds attributes to the current span. */
export function annotate(attributes: Attributes): void {
  if (tracer) current.getStore()?.set(attributes)
}

/** The header for a call to another service. */
export function traceHeaders(): Record<string, string> {
  const span = tracer && current.getStore()
  return span ? { traceparent: `00-${span.traceId}-${span.spanId}-${span.isSampled ? '01' : '00'}` } : {}
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/

/** W3C Trace Context; null for a missing or malformed header. */
export function readTraceparent(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? []
  if (!traceId || !spanId || !flags) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
