import { randomBytes } from 'node:crypto'
import type { Log } from './log.ts'
import { typeOf } from './safe-error.ts'
import type { Attributes, SpanOptions, Tracer } from './trace.ts'
import type { TraceSettings } from './trace-settings.ts'

const EVERY_MS = 5000
const BATCH = 512
/** Spans beyond this are dropped while the collector is unavailable. */
const MAX_WAITING = 2048
const TIMEOUT_MS = 10_000

const kinds: Record<SpanOptions['kind'], number> = { internal: 1, server: 2, client: 3 }
const ERROR = 2

interface Traces {
  tracer: Tracer
  /** Sends what is waiting. */
  close: () => Promise<void>
}

interface TraceDeps {
  build: string
  instance: string
  log: Pick<Log, 'warn' | 'info'>
  everyMs?: number
}

/** Sends spans to an OpenTelemetry collector over OTLP/HTTP as JSON. Loaded only when an endpoint is set. */
export function openTraces(settings: TraceSettings, { build, instance, log, everyMs = EVERY_MS }: TraceDeps): Traces {
  const resource = {
    attributes: attributesOf({
      'service.name': settings.serviceName,
      'service.version': build,
      'service.instance.id': instance,
      ...settings.resource,
    }),
  }
  const waiting: object[] = []
  let dropped = 0
  let isFailing = false
  let sending: Promise<void> | null = null

  async function post(spans: object[]): Promise<void> {
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'symbol' }, spans }] }] }
    const response = await fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...settings.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw Object.assign(new Error('The collector refused'), { status: response.status })
  }

  /** A batch that failed is dropped: traces must not fill the memory. */
  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, BATCH)
      try {
        await post(spans)
        if (isFailing) log.info({ dropped }, 'traces: the collector takes spans again')
        isFailing = false
        dropped = 0
      } catch (error) {
        dropped += spans.length
        if (!isFailing) log.warn({ err: error }, 'traces: not sent, dropping spans')
        isFailing = true
        return
      }
    }
  }

  function sendSoon(): Promise<void> {
    sending ??= send().finally(() => {
      sending = null
    })
    return sending
  }
  const timer = setInterval(() => void sendSoon(), everyMs)
  timer.unref()

  function add(span: object): void {
    if (waiting.length >= MAX_WAITING) dropped += 1
    else waiting.push(span)
    if (waiting.length === BATCH) void sendSoon()
  }

  const tracer: Tracer = (name, { kind, attributes }, parent) => {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    const isSampled = parent && settings.followsParent ? parent.isSampled : isChosen(traceId, settings.ratio)
    const startTimeUnixNano = nowNano()
    let known = attributes ?? {}
    let isEnded = false
    const span = {
      ...{ name, traceId, isSampled },
      spanId: randomBytes(8).toString('hex'),
      set: (more: Attributes) => {
        known = { ...known, ...more }
      },
      end: (error?: unknown) => {
        if (isEnded || !isSampled) return
        isEnded = true
        add({
          ...{ traceId, spanId: span.spanId, name: span.name, kind: kinds[kind], startTimeUnixNano },
          ...(parent && { parentSpanId: parent.spanId }),
          endTimeUnixNano: nowNano(),
          attributes: attributesOf(known),
          // Only the kind of the error: messages may contain user text.
          ...(error !== undefined && { status: { code: ERROR, message: typeOf(error) } }),
        })
      },
    }
    return span
  }

  return {
    tracer,
    close: async () => {
      clearInterval(timer)
      await sending
      await sendSoon()
    },
  }
}

/** Decided by the trace id, so that every service decides the same. */
function isChosen(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32
}

const nowNano = () => String(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n)

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === null || value === undefined) return []
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}
