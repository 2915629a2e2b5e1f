import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordingPrice, transcriptionsApi } from '#contract/transcriptions.ts'
import { makeFlac, makeMp3, makeMp4, makeOpus, makeWav, makeWebm } from '#server/audio/testing/make-sound.ts'
import { holds, models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import {
  hangs,
  rejectsTranscription,
  startFakeTranscriber,
  transcribes,
  transcribesPlainly,
} from '#server/llm/testing/fake-transcriber.ts'
import { type SignedIn, startTestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { settled, uploadAndTranscribe, uploadRecording } from './testing/record.ts'

const MINUTE_PRICE = 600
const START = 20_000
const limits = { wholeBytes: 100_000, partBytes: 44 + 8000, partSeconds: 600 }
let anna: SignedIn

const provider = await closeAfterTests(startFakeTranscriber())
const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
const app = await testApp({ startSymbols: START, deps: { providers }, transcriptionQueue: { limits } })
const model = { kind: 'transcription', provider: 'fake', providerModel: 'whisper-1', position: -1 } as const
await app.db.insert(models).values({ id: 'ear', name: 'Слух', minutePrice: MINUTE_PRICE, ...model })
beforeEach(async () => {
  anna = await app.signIn()
})
afterEach(async () => {
  expect(await reconcile(app.db)).toEqual([])
  expect(await app.db.$count(holds, eq(holds.state, 'active'))).toBe(0)
})

const balance = async () => (await balanceOf(app.db, anna.user.id)).availableTokens
const priceOf = (seconds: number) => recordingPrice(seconds, MINUTE_PRICE)

/** Its header states one frame. */
const forgedMp3 = () => {
  const honest = makeMp3(200)
  honest.write('Xing', 36, 'latin1')
  honest.writeUInt32BE(1, 40)
  honest.writeUInt32BE(1, 44)
  return honest
}
/** Its header states a fortieth of a second, its frames are ten seconds long. */
const forgedFlac = () => makeFlac(40_960, 1000, 100)
/** The codec of its packets is none that is counted; the header claims ten seconds. */
const uncounted = () => makeWebm(Array.from({ length: 501 }, (_, block) => block * 20))

describe('a header that states too little does not make a recording cheaper', () => {
  test.each([
    ['MP3', forgedMp3(), 'a.mp3', (200 * 1152) / 44_100],
    ['Opus', makeOpus(480, 312, 500), 'a.ogg', 10],
    ['M4A', makeMp4(0.03, 2000), 'a.m4a', (2000 * 1024) / 48_000],
    ['WebM', makeWebm([0, 1, 2], 5000, 500), 'a.webm', 10],
  ])('%s is charged by its sound where the provider measures nothing', async (_, bytes, name, seconds) => {
    provider.play(transcribesPlainly('весь текст'))
    const made = await uploadAndTranscribe(app, anna, bytes, {}, name)
    expect(made).toMatchObject({ status: 'ready', text: 'весь текст', charged: priceOf(seconds) })
  })

  test.each([
    ['MP3', forgedMp3(), 'a.mp3', (200 * 1152) / 44_100],
    ['Opus', makeOpus(480, 312, 50), 'a.ogg', 1],
    ['M4A', makeMp4(0.03, 470), 'a.m4a', 10.03],
    ['WebM', makeWebm([0, 1, 2], 5000, 50), 'a.webm', 1],
    ['FLAC', forgedFlac(), 'a.flac', 10],
    ['a kind that is not counted', uncounted(), 'a.webm', 10],
  ])('%s costs what was named, whatever the service claims (S10.1120)', async (_, bytes, name, seconds) => {
    for (const claimed of [3600, 0.5, 30]) {
      provider.play(transcribesPlainly('весь текст', { seconds: claimed }))
      const before = await balance()
      const { id } = await uploadRecording(anna, bytes, {}, name)
      const made = await settled(app, anna, id)
      const paid = name === 'a.webm' && seconds === 10 ? Math.min(claimed, seconds) : seconds
      expect(made).toMatchObject({ status: 'ready', charged: priceOf(paid) })
      expect(made.durationMs).toBeCloseTo(paid * 1000, -2)
      expect(before - (await balance())).toBe(priceOf(paid))
    }
  })

  test('where only segment times are reported, the last end counts (S10.1120)', async () => {
    const said = (end: number) => [{ start: 0, end, text: 'раз' }]
    for (const end of [5, 90]) {
      provider.play((response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ text: 'раз', segments: said(end) }))
      })
      const made = await uploadAndTranscribe(app, anna, uncounted(), {}, 'a.webm')
      expect(made).toMatchObject({ charged: priceOf(Math.min(end, 10)) })
    }
  })

  test('sound beyond the length that a WAV header states is not sent', async () => {
    const wav = makeWav([{ seconds: 10, loud: 0.5 }], { rate: 2000 })
    wav.writeUInt32LE(4000, 40)
    provider.play(transcribes('раз'))
    expect(await uploadAndTranscribe(app, anna, wav)).toMatchObject({ durationMs: 1000, charged: priceOf(1) })
    expect(provider.received[0]?.audio.length).toBe(44 + 4000)
  })
})

describe('a header that states too much does not raise the price', () => {
  test.each([
    ['M4A', makeMp4(36_000, 468), 'a.m4a'],
    ['FLAC', makeFlac(40_960, 40_960 * 36_000, 100), 'a.flac'],
    ['Opus', makeOpus(48_000 * 36_000, 312, 500), 'a.ogg'],
  ])('%s of ten hours that lasts ten seconds costs ten seconds (S10.24)', async (_, bytes, name) => {
    provider.play(transcribesPlainly('текст', { seconds: 10 }))
    expect(await uploadAndTranscribe(app, anna, bytes, {}, name)).toMatchObject({
      status: 'ready',
      charged: priceOf(10),
    })
    expect(await balance()).toBe(START - priceOf(10))
  })
})

test('a recording longer than named is asked about before it is sent (S10.1121)', async () => {
  const ffmpeg = {
    toWav: async () => {},
    toOpus: async () => {},
    seconds: async () => null,
    decodedSeconds: async () => 600,
  }
  const other = await startTestApp({
    ...{ database: app.database, startSymbols: START, deps: { providers } },
    transcriptionQueue: { limits, ffmpeg },
  })
  const boris = await other.signIn()
  provider.play(transcribesPlainly('весь текст', { seconds: 3600 }))
  const made = await uploadAndTranscribe(other, boris, uncounted(), {}, 'a.webm')
  expect(made).toMatchObject({
    ...{ status: 'failed', charged: 0, durationMs: 600_000 },
    error: { code: 'conflict', message: /идёт 10:00, а в файле сказано 0:10.*Ничего не списано.*«Повторить»/ },
  })
  expect(provider.received).toHaveLength(0)
  await boris.call(transcriptionsApi.retry, { params: { id: made.id }, body: {} })
  expect(await settled(other, boris, made.id)).toMatchObject({ status: 'ready', charged: priceOf(600) })
  await other.close()
})

describe('a long recording that is stopped', () => {
  const long = () => makeWav([{ seconds: 30, loud: 0.5 }], { rate: 4000 })

  /** Stops while the third part is with the provider. */
  async function stopAtThird() {
    provider.play(transcribes('раз'), transcribes('два'), hangs().script)
    const { id } = await uploadRecording(anna, long())
    await expect.poll(() => provider.received.length).toBe(3)
    const sent = provider.received.map(({ audio }) => (audio.length - 44) / 8000)
    const stopped = await anna.call(transcriptionsApi.stop, { params: { id } })
    return { id, sent, stopped }
  }
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)

  test('pays for the sent minutes, and a retry pays only the rest', async () => {
    const { id, sent, stopped } = await stopAtThird()
    expect(stopped.charged).toBe(priceOf(sum(sent)))
    expect(await balance()).toBe(START - stopped.charged)
    provider.play(transcribes('дальше'))
    await anna.call(transcriptionsApi.retry, { params: { id }, body: {} })
    const done = await settled(app, anna, id)
    expect(done.status).toBe('ready')
    // The part that was at the provider when it was stopped has been sent twice.
    expect(done.charged).toBe(stopped.charged + priceOf(30) - priceOf(sum(sent.slice(0, 2))))
    expect(await balance()).toBe(START - done.charged)
  })

  test('and deleted afterwards pays nothing more', async () => {
    const { id, stopped } = await stopAtThird()
    provider.play(rejectsTranscription(500))
    await anna.call(transcriptionsApi.delete, { params: { id } })
    expect(await balance()).toBe(START - stopped.charged)
  })

  test('three stops at once charge once', async () => {
    provider.play(hangs().script)
    const { id } = await uploadRecording(anna, long())
    await expect.poll(() => provider.received.length).toBe(1)
    const stop = () => anna.call(transcriptionsApi.stop, { params: { id } })
    const [stopped] = await Promise.all([stop(), stop(), stop()])
    const { charged } = await anna.call(transcriptionsApi.get, { params: { id } })
    expect(charged).toBeGreaterThan(0)
    expect(stopped).toBeDefined()
    expect(await balance()).toBe(START - charged)
  })
})
