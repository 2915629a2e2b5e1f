import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '#server/config.ts'
import { type Chat, startChat } from '#server/features/answers/testing/chat.ts'
import { refuses, says } from '#server/llm/testing/fake-openai.ts'
import { openTraces } from './otlp.ts'
import { readTraceparent, setTracer, traced, traceHeaders } from './trace.ts'
import type { TraceSettings } from './trace-settings.ts'

interface Sent {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
  status?: { code: number; message: string }
  startTimeUnixNano: string
  endTimeUnixNano: string
}

/** A collector that keeps what it gets. */
let status = 200
const bodies: { resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Sent[] }[] }[] }[] = []
const headers: (string | undefined)[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.on('data', (data) => {
    text += data
  })
  request.on('end', () => {
    headers.push(request.headers['x-key'] as string | undefined)
    if (status === 200) bodies.push(JSON.parse(text))
    response.writeHead(status).end('{}')
  })
})
const spans = () => bodies.flatMap((body) => body.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)))
const attribute = (span: Sent | undefined, key: string) =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0]

let chat: Chat
let settings: TraceSettings
beforeAll(async () => {
  chat = await startChat()
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  settings = { url, headers: { 'x-key': 'k' }, serviceName: 's', resource: {}, ratio: 1, followsParent: true }
})
afterAll(async () => {
  await chat.close()
  collector.close()
})
afterEach(() => {
  setTracer(null)
  bodies.length = 0
  headers.length = 0
  status = 200
})
const log = { info: vi.fn(), warn: vi.fn() }
function open(more: Partial<TraceSettings> = {}) {
  const traces = openTraces({ ...settings, ...more }, { build: 'b1', instance: 'i1', log, everyMs: 60_000 })
  setTracer(traces.tracer)
  return traces
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${CALLER}-01`

test('a request, its answer and the call to the provider are one trace, which the provider gets (S10.275)', {
  tags: 'slow',
}, async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const { close } = open()
  chat.provider.play(refuses(500), says('Тайный ответ'))
  chat.provider.asked.length = 0
  await chat.app.app.request('/api/health')
  const response = await anna.fetch(`/api/threads/${thread}/message`, {
    method: 'POST',
    headers: { traceparent, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Тайный вопрос' }),
  })
  expect(response.status).toBe(200)
  await close()
  const own = spans().filter(({ traceId }) => traceId === TRACE)
  const request = own.find(({ name }) => name === 'POST /api/threads/:id/message')
  const answer = own.find(({ name }) => name === 'answer')
  const calls = own.filter(({ name }) => name === 'chat fake').slice(0, 2)
  expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2 })
  expect(attribute(request, 'http.response.status_code')).toBe('200')
  expect(attribute(request, 'user.id')).toBe(anna.user.id)
  expect(answer).toMatchObject({ parentSpanId: request?.spanId, kind: 1 })
  expect(attribute(answer, 'outcome')).toBe('complete')
  expect(calls.map(({ parentSpanId, status: ended }) => [parentSpanId, ended?.code])).toEqual([
    [answer?.spanId, 2],
    [answer?.spanId, undefined],
  ])
  expect(attribute(calls[0], 'error.type')).toBe('down')
  expect(chat.provider.asked.slice(0, 2).map((asked) => asked.traceparent)).toEqual(
    calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
  )
  const other = spans().find(({ name }) => name === 'GET /api/health')
  expect(other?.traceId).not.toBe(TRACE)
  expect(other?.parentSpanId).toBeUndefined()
  expect(Number(BigInt(other?.endTimeUnixNano ?? 0) - BigInt(other?.startTimeUnixNano ?? 0))).toBeGreaterThanOrEqual(0)
  expect(headers[0]).toBe('k')
  const sent = JSON.stringify(bodies)
  for (const text of ['Тайный', anna.user.email]) expect(sent).not.toContain(text)
  for (const text of ['"b1"', '"i1"']) expect(sent).toContain(text)
})

test('without an endpoint there is no tracer, no header for providers and no cost (S10.275)', async () => {
  expect(readConfig({}).traces).toBeNull()
  expect(traceHeaders()).toEqual({})
  expect(await traced('x', { kind: 'internal' }, async (span) => span)).toBeNull()
})

test('the standard variables are read (S10.275)', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, y=z',
    OTEL_SERVICE_NAME: 'chat',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }
  expect(readConfig(env).traces).toEqual({
    ...{ url: 'http://collector:4318/v1/traces', serviceName: 'chat', ratio: 0.25, followsParent: true },
    headers: { authorization: 'Bearer x', y: 'z' },
    resource: { 'deployment.environment': 'prod' },
  })
  const own = { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/traces', OTEL_TRACES_SAMPLER: 'always_on' }
  expect(readConfig(own).traces).toMatchObject({ url: 'http://other/traces', ratio: 1, followsParent: false })
  expect(readConfig({ ...env, OTEL_SDK_DISABLED: 'true' }).traces).toBeNull()
  expect(() => readConfig({ ...env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('http/json')
})

test.each([
  ['a caller that is not sampled', { ratio: 1, followsParent: true }, `00-${TRACE}-${CALLER}-00`, 0],
  [
    'a caller that is not sampled, when it has no say',
    { ratio: 1, followsParent: false },
    `00-${TRACE}-${CALLER}-00`,
    1,
  ],
  ['a share of nothing', { ratio: 0, followsParent: false }, traceparent, 0],
])('%s is sent accordingly', async (_, more, header, sent) => {
  const { close } = open(more)
  await chat.app.app.request('/api/health', { headers: { traceparent: header } })
  await close()
  expect(spans()).toHaveLength(sent)
})

test('a malformed header begins a trace of its own', () => {
  const bad = ['', 'x', `00-${'0'.repeat(32)}-${CALLER}-01`, `ff-${TRACE}-${CALLER}-01`, `00-${TRACE}-${CALLER}-01x`]
  for (const header of bad) expect(readTraceparent(header)).toBeNull()
  expect(readTraceparent(traceparent)).toEqual({ traceId: TRACE, spanId: CALLER, isSampled: true })
})

test('a collector that refuses costs the spans and one line of the log, nothing else (S10.276)', async () => {
  status = 503
  const { close } = open()
  log.warn.mockClear()
  expect((await chat.app.app.request('/api/health')).status).toBe(200)
  await close()
  expect(log.warn).toHaveBeenCalledTimes(1)
  expect(spans()).toEqual([])
})
