import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { openSearch } from '#server/internet/open-search.ts'
import type { SearchEngine } from '#server/internet/search-settings.ts'
import { openLog } from '#server/lib/log.ts'
import { createBepaid } from '#server/payments/bepaid.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { failures, MARK, startQuotingServer } from '#server/testing/quoting-server.ts'
import { anthropicLlm } from './anthropic.ts'
import { connect } from './connection.ts'
import { openAiEmbed } from './embeddings.ts'
import { geminiLlm } from './gemini.ts'
import type { Llm } from './llm.ts'
import { readOffer } from './offer.ts'
import { openAiLlm } from './openai.ts'
import { openAiDraw } from './openai-images.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
import type { ProviderKind } from './profile.ts'

/** A service may quote the question in its error: none of it may leave the adapter of the service. */

const server = await closeAfterTests(startQuotingServer())
const signal = new AbortController().signal
/** Long enough for a request on a busy machine: only silence waits for it. */
const LATE_MS = 400
const quick = { firstTokenMs: LATE_MS, silenceMs: LATE_MS, thinkingMs: LATE_MS }

const to = (kind: ProviderKind) =>
  connect({ kind, baseUrl: server.url, apiKey: 'key', tokenUrl: `${server.url}/token?about=${MARK}` })
const chat = (llm: Llm) => () =>
  llm({ model: 'm', messages: [{ role: 'user', content: MARK }], maxTokens: 9, thinking: 'more' }, signal, () => {})
const search = (engine: SearchEngine) => () =>
  openSearch({ engine, baseUrl: server.url, apiKey: 'key', folder: 'f', timeoutMs: LATE_MS })(MARK, signal)
const bepaid = { apiUrl: server.url, checkoutUrl: server.url, gatewayUrl: server.url }
const gateway = createBepaid(
  { ...bepaid, shopId: '1', secretKey: 's', publicKey: null, test: true, methods: null },
  { timeoutMs: LATE_MS, busyPausesMs: [] },
)

const calls: Record<string, () => Promise<unknown>> = {
  'OpenAI, chat': chat(openAiLlm(to('openai'), quick)),
  'Yandex, chat': chat(openAiLlm(to('yandex'), quick)),
  'GigaChat, chat and its token': chat(openAiLlm(to('gigachat'), quick)),
  'Anthropic, chat': chat(anthropicLlm(to('anthropic'), quick)),
  'Gemini, chat': chat(geminiLlm(to('gemini'), quick)),
  embeddings: () => openAiEmbed(to('openai'), 'm', { timeoutMs: LATE_MS, retryMs: 1 }).embed([MARK], signal),
  images: () => openAiDraw(to('openai'), LATE_MS)({ model: 'm', prompt: MARK, size: '1024x1024', seed: '' }, signal),
  transcription: () =>
    openAiTranscribe(to('openai'), { baseMs: LATE_MS, retryMs: 1 })(
      {
        model: 'whisper-1',
        audio: Buffer.from('x'),
        name: `${MARK}.wav`,
        mime: 'audio/wav',
        language: null,
        seconds: 0,
      },
      signal,
    ),
  'the list of models': () => readOffer(to('openai'), 'openai'),
  'search by Yandex': search('yandex'),
  'search by SearXNG': search('searxng'),
  'search by Brave': search('brave'),
  'search by Tavily': search('tavily'),
  'the payment gateway': () => gateway.cancelSubscription('sbs_1', MARK),
}

let written = ''
const log = openLog(
  'trace',
  new Writable({
    write: (chunk, _, done) => {
      written += chunk
      done()
    },
  }),
)
afterAll(() => expect(written).toMatch(/"status":429.*"requestId":"req_0123456789"/))

/** The first takes 15 s; the second is a result: the gateway does not know the subscription. */
const others = new Set(['the list of models: silence', 'the payment gateway: 404'])

describe.each(Object.entries(calls))('%s (S10.610)', (name, call) => {
  const all = Object.entries(failures).filter(([failure]) => !others.has(`${name}: ${failure}`))
  test.each(all)('%s', async (_, fail) => {
    server.failBy(fail)
    const before = server.requests()
    const error: unknown = await call().then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(server.requests()).toBeGreaterThan(before)
    expect(error).toBeInstanceOf(Error)
    log.error({ err: error, reason: error, nested: { error } }, 'failed')
    log.error(error)
    log.error({ err: error })
    const seen = [written, inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)]
    expect(seen.join('\n')).not.toContain(MARK)
  })
})
