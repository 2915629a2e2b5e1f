import { expect, test } from 'vitest'
import { recordingPrice, transcriptionsApi } from '#contract/transcriptions.ts'
import { makeFlac, makeMp3, makeMp4, makeWav, makeWebm } from '#server/audio/testing/make-sound.ts'
import { models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { hangs, startFakeTranscriber, transcribes, transcribesPlainly } from '#server/llm/testing/fake-transcriber.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { balanceOf } from '../billing/ledger.ts'
import { putChunk, settled, uploadRecording } from './testing/record.ts'

const MINUTE_PRICE = 600
const START = 20_000
const provider = await closeAfterTests(startFakeTranscriber())
const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
const limits = { wholeBytes: 100_000, partBytes: 44 + 8000, partSeconds: 600 }
const app = await testApp({ startSymbols: START, deps: { providers }, transcriptionQueue: { limits } })
const model = { kind: 'transcription', provider: 'fake', providerModel: 'whisper-1', position: -1 } as const
await app.db.insert(models).values({ id: 'ear', name: 'Слух', minutePrice: MINUTE_PRICE, ...model })
await app.db.insert(models).values({ id: 'dear', name: 'Дорогой', minutePrice: 6000, ...model, position: 5 })

const priceOf = (seconds: number) => recordingPrice(seconds, MINUTE_PRICE)

async function upload(who: SignedIn, bytes: Uint8Array, name: string) {
  const { id } = await who.call(transcriptionsApi.begin, { body: { name, bytes: bytes.byteLength } })
  expect((await putChunk(who, id, 0, bytes)).status).toBe(200)
  return { params: { id } }
}

/** Its header states one frame of 200. */
function forgedMp3() {
  const forged = makeMp3(200)
  forged.write('Xing', 36, 'latin1')
  forged.writeUInt32BE(1, 40)
  forged.writeUInt32BE(1, 44)
  return forged
}

test.each([
  ['MP3', forgedMp3(), 'a.mp3', (200 * 1152) / 44_100],
  ['M4A', makeMp4(0.03, 2000), 'a.m4a', (2000 * 1024) / 48_000],
  ['WebM', makeWebm([0, 1, 2], 5000, 500), 'a.webm', 10],
  ['FLAC', makeFlac(40_960, 1000, 100), 'a.flac', 10],
])('%s longer than its header says waits for consent (S10.1600)', async (_, bytes, name, seconds) => {
  const anna = await app.signIn()
  const recording = await upload(anna, bytes, name)
  const price = priceOf(seconds)
  const named = anna.call(transcriptionsApi.finish, { ...recording, body: { most: 10 } })
  await expect(named).rejects.toMatchObject({
    ...{ status: 409, field: 'most' },
    message: expect.stringMatching(new RegExp(`стоит ${price} символов, а было названо 10\\. Ничего не списано`)),
  })
  const waiting = await anna.call(transcriptionsApi.get, recording)
  expect(waiting).toMatchObject({ status: 'uploading', received: bytes.byteLength, charged: 0 })
  expect(recordingPrice((waiting.durationMs ?? 0) / 1000, MINUTE_PRICE)).toBe(price)
  expect((await balanceOf(app.db, anna.user.id)).availableTokens).toBe(START)
  provider.play(transcribesPlainly('весь текст'))
  await anna.call(transcriptionsApi.finish, { ...recording, body: { most: price } })
  expect(await settled(app, anna, recording.params.id)).toMatchObject({ status: 'ready', charged: price })
})

test('a moment more than the browser read is a gift (S10.1601)', async () => {
  const anna = await app.signIn()
  const recording = await upload(anna, makeMp4(10.03, 470), 'a.m4a')
  provider.play(transcribesPlainly('весь текст'))
  await anna.call(transcriptionsApi.finish, { ...recording, body: { most: priceOf(10) } })
  expect(await settled(app, anna, recording.params.id)).toMatchObject({ status: 'ready', charged: priceOf(10) })
})

test('the model may be another one after the question (S10.1600)', async () => {
  const anna = await app.signIn()
  const bytes = makeWebm([0, 1, 2], 5000, 500)
  const { params } = await upload(anna, bytes, 'a.webm')
  const body = { id: params.id, name: 'a.webm', bytes: bytes.byteLength, modelId: 'dear' }
  expect(await anna.call(transcriptionsApi.begin, { body })).toMatchObject({ received: bytes.byteLength })
  const finish = anna.call(transcriptionsApi.finish, { params, body: { most: priceOf(10) } })
  await expect(finish).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/стоит 1.000 символов/) })
})

test('another try never costs more than its button names (S10.1602)', async () => {
  const anna = await app.signIn()
  provider.play(transcribes('раз'), transcribes('два'), hangs().script)
  const { id } = await uploadRecording(anna, makeWav([{ seconds: 30, loud: 0.5 }], { rate: 4000 }))
  await expect.poll(() => provider.received.length).toBe(3)
  const stopped = await anna.call(transcriptionsApi.stop, { params: { id } })
  expect(stopped.paid).toBeGreaterThan(0)
  expect(stopped.paid).toBeLessThan(stopped.charged)
  const price = priceOf(30) - stopped.paid
  const retry = (most: number) => anna.call(transcriptionsApi.retry, { params: { id }, body: { most } })
  await expect(retry(price - 1)).rejects.toMatchObject({ status: 409, field: 'most' })
  provider.play(transcribes('дальше'))
  await retry(price)
  expect(await settled(app, anna, id)).toMatchObject({ status: 'ready', charged: stopped.charged + price })
})
