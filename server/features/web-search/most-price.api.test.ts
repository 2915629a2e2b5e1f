import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { price } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'
import { type WebOptions, webPrice } from '#contract/web-search.ts'
import { fetchPage } from '#server/internet/fetch-page.ts'
import { openSearch } from '#server/internet/open-search.ts'
import { searxngFinds, startFakeEngine } from '#server/internet/testing/fake-engine.ts'
import { startFakeWeb } from '#server/internet/testing/fake-web.ts'
import { readQueryRequest } from '#server/llm/demo-prompts.ts'
import type { LlmMessage } from '#server/llm/llm.ts'
import { type Script, says } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { singleSubscription } from '../billing/balance.ts'
import { reconcile } from '../billing/invariants.ts'

/** What a search may read and cost at most, as it is named before sending. */

const PRICE = 1500
const QUESTION = 'Как обжарить кофе?'
const PATHS = ['/1', '/2', '/3', '/4', '/5', '/6', '/7']
const TEXT = 'Зерно обжаривают при двухстах градусах около двенадцати минут, потом быстро остужают. '.repeat(8)
const longPage = (n: number) =>
  `<title>Кофе ${n}</title><article>${Array.from({ length: 40 }, (_, i) => `<p>Обжарка ${n}.${i}. ${TEXT}</p>`).join('')}</article>`

const web = await startFakeWeb(Object.fromEntries(PATHS.map((path, n) => [path, longPage(n)])))
const engine = await startFakeEngine()
const chat = await closeAfterTests(
  startChat({
    web: {
      search: openSearch({ engine: 'searxng', baseUrl: engine.baseUrl, apiKey: null, folder: null, timeoutMs: 3000 }),
      price: PRICE,
      fetchPage: (address, signal, request) => fetchPage(address, signal, request, { reach: web.reach }),
    },
  }),
)
afterAll(async () => {
  expect(await reconcile(chat.app.db)).toEqual([])
  await Promise.all([web.close(), engine.close()])
})
beforeEach(() => {
  engine.play(searxngFinds(...PATHS.map((path) => ({ url: web.at(path), title: path }))))
  play(says('При двухстах градусах [1].'))
})

function play(answer: Script) {
  chat.provider.play((response, body) => {
    const isQuery = readQueryRequest(body.messages as LlmMessage[]) !== null
    return (isQuery ? says('обжарка кофе') : answer)(response, body)
  })
}

const ask = async (anna: Talker, more: object, content = QUESTION) => {
  const thread = await anna.newThread()
  return { thread, reading: await anna.send(thread, { content, ...more }) }
}
const balanceOf = (anna: Talker) => singleSubscription(chat.app.db, anna.user.id)
const read = ({ citations }: Message) => new Set(citations?.map((citation) => citation.web?.url)).size
const rates = { inputRate: 1, outputRate: 1 }
const priceOf = ({ input, output }: Message) => price(input, output, { ...rates, searchPrice: PRICE })

describe('a search of pages that exceed the reading limit', () => {
  test.each<[string, WebOptions, { least: number; pages: number }]>([
    ['usual', { search: true, pages: [] }, { least: 2000, pages: 3 }],
    ['detailed', { search: 'detailed', pages: [] }, { least: 6000, pages: 6 }],
  ])('costs at most the price named for a %s search (S10.631)', async (_, options, { least, pages }) => {
    const anna = await chat.person()
    const { reading } = await ask(anna, { web: options.search })
    const message = await reading.message()
    const named = webPrice(options, PRICE, rates)
    expect(message.charged).toBeLessThanOrEqual(
      price(QUESTION.length, message.output, rates) + named.search + named.pages,
    )
    expect(message.charged).toBe(priceOf(message))
    expect(message.parts?.web).toBeGreaterThan(least)
    expect(read(message)).toBeLessThanOrEqual(pages)
    expect(reading.events).toContainEqual({ type: 'stage', stage: { type: 'read', pages } })
    expect(message.web?.request).toEqual({
      search: true,
      pages: [],
      ...(options.search === 'detailed' && { detailed: true }),
    })
    expect(await balanceOf(anna)).toMatchObject({ availableTokens: 20_000 - message.charged, held: 0 })
  })

  test('with a named page costs at most the price named for both (S10.631)', async () => {
    const anna = await chat.person()
    const pages = [web.at('/1')]
    const content = `${QUESTION} ${pages[0]}`
    const message = await (await ask(anna, { web: true, pages }, content)).reading.message()
    const named = webPrice({ search: true, pages }, PRICE, rates)
    expect(message.charged).toBeLessThanOrEqual(content.length + message.output + named.search + named.pages)
    expect(message.parts?.web).toBeGreaterThan(4000)
  })
})

test.each(['detailed', true])('a search (%s) whose model fails afterwards costs nothing (S10.631)', async (options) => {
  play((response) => {
    response.writeHead(500).end()
  })
  const anna = await chat.person()
  const { thread, reading } = await ask(anna, { web: options })
  await reading.end()
  expect((await anna.read(thread)).Messages.at(-1)).toMatchObject({ status: 'failed', charged: 0 })
  expect(await balanceOf(anna)).toMatchObject({ availableTokens: 20_000, held: 0 })
})

test('a kind of search that does not exist is refused (S10.631)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const { status } = await anna.post(`/api/threads/${thread}/message`, { content: 'Привет', web: 'everything' })
  expect(status).toBe(400)
})
