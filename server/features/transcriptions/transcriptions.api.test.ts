import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TopicEvent } from '#contract/realtime.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { makeMp3, makeWav } from '#server/audio/testing/make-sound.ts'
import { holds, ledger, models, transcriptions } from '#server/db/schema.ts'
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
import { createGate } from '#server/testing/gate.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf, setDailyCap } from '../billing/ledger.ts'
import { namesShown } from '../transactions/testing/names-shown.ts'
import type { TranscriptionDeps } from './deps.ts'
import { createTranscriptionQueue } from './queue.ts'
import { sendRecording, settled, uploadAndTranscribe, uploadRecording } from './testing/record.ts'

const limits = { wholeBytes: 60_000, partBytes: 44 + 16_000, partSeconds: 600 }
let anna: SignedIn
let published: TopicEvent[] = []
let converted: Buffer
const writeConverted = async (_: string, to: string) => {
  const { writeFile } = await import('node:fs/promises')
  await writeFile(to, converted)
}
const ffmpeg = {
  toWav: writeConverted,
  toOpus: writeConverted,
  seconds: async () => null,
  decodedSeconds: async () => null,
}
const transcriptionQueue: Partial<TranscriptionDeps> = { limits }

const provider = await closeAfterTests(startFakeTranscriber())
const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
const publish = (_: string, event: TopicEvent) => void published.push(event)
const app = await testApp({ deps: { providers, publish }, transcriptionQueue: { ...transcriptionQueue, publish } })
const model = { kind: 'transcription', provider: 'fake', providerModel: 'whisper-1', position: -1 } as const
await app.db.insert(models).values({ id: 'ear', name: 'Слух', minutePrice: 600, ...model })
beforeEach(async () => {
  anna = await app.signIn()
  published = []
  provider.play(transcribes('Добрый день.', 'Начнём.'))
})
afterEach(async () => {
  expect(await reconcile(app.db)).toEqual([])
  expect(await app.db.$count(holds, eq(holds.state, 'active'))).toBe(0)
})

const speech = (seconds: number) => makeWav([{ seconds, loud: 0.5 }], { rate: 2000 })
const balance = async () => (await balanceOf(app.db, anna.user.id)).availableTokens
const entries = () => app.db.select().from(ledger).where(eq(ledger.userId, anna.user.id))

test('a recording becomes timed text, is charged by length, and notifies (S1.17)', async () => {
  const made = await uploadAndTranscribe(app, anna, speech(2.4), { modelId: 'ear', language: 'ru' })
  expect(made).toMatchObject({
    title: 'Совещание',
    fileName: 'Совещание.wav',
    mime: 'audio/wav',
    durationMs: 2400,
    status: 'ready',
    progress: 100,
    partsDone: 1,
    partsTotal: 1,
    text: 'Добрый день. Начнём.',
    segments: [
      { start: 0, end: 1, text: 'Добрый день.' },
      { start: 1, end: 2, text: 'Начнём.' },
    ],
    language: 'ru',
    modelId: 'ear',
    charged: 30,
    edited: false,
    error: null,
  })
  expect(provider.received[0]?.fields).toMatchObject({ model: 'whisper-1', language: 'ru' })
  expect(await balance()).toBe(20_000 - 30)
  expect((await entries()).at(-1)).toMatchObject({
    kind: 'transcription',
    symbols: -30,
    modelId: 'ear',
    note: 'Запись 0:02',
  })
  expect(published).toContainEqual({ topic: 'transcriptions', type: 'changed', data: { id: made.id } })
  expect(published).toContainEqual({ topic: 'profile', type: 'balance', data: null })
})

test('the name of a recording reaches only its owner (S10.1450)', async () => {
  const { id } = await uploadAndTranscribe(app, anna, speech(2))
  const admin = await app.signIn('owner@example.test')
  const shown = await namesShown(anna, admin)
  expect(shown.subjects).toEqual(['Совещание'])
  expect(shown.csv).toContain('Совещание')
  expect(shown.toAdmin).not.toContain('Совещание')
  await anna.call(transcriptionsApi.delete, { params: { id } })
  expect((await namesShown(anna, admin)).subjects).toEqual([null])
})

test('a failure is free, says why, and another try goes through', async () => {
  provider.play(rejectsTranscription(400, 'bad audio'))
  const failed = await uploadAndTranscribe(app, anna, speech(1))
  expect(failed).toMatchObject({ status: 'failed', charged: 0, error: { code: 'model_failed', message: /повреждён/ } })
  expect(await balance()).toBe(20_000)
  expect(await entries()).toHaveLength(1)
  provider.play(transcribes('Да'))
  await anna.call(transcriptionsApi.retry, { params: { id: failed.id }, body: {} })
  expect(await settled(app, anna, failed.id)).toMatchObject({ status: 'ready', text: 'Да', charged: 10, error: null })
  await expect(anna.call(transcriptionsApi.retry, { params: { id: failed.id }, body: {} })).rejects.toMatchObject({
    status: 409,
  })
})

test('a long WAV is cut at pauses, transcribed and joined with times', async () => {
  const recording = makeWav(
    [
      { seconds: 3, loud: 0.5 },
      { seconds: 0.5, loud: 0 },
      { seconds: 3, loud: 0.5 },
      { seconds: 0.5, loud: 0 },
      { seconds: 13, loud: 0.5 },
    ],
    { rate: 2000 },
  )
  provider.play(
    transcribes('раз'),
    transcribes('два'),
    transcribes('три'),
    transcribes('четыре'),
    transcribes('пять'),
    transcribes('шесть'),
  )
  const made = await uploadAndTranscribe(app, anna, recording)
  expect(made).toMatchObject({ status: 'ready', durationMs: 20_000, charged: 200 })
  expect(made.partsTotal).toBeGreaterThan(3)
  expect(provider.received).toHaveLength(made.partsTotal ?? 0)
  expect(Buffer.concat(provider.received.map(({ audio }) => audio.subarray(44))).equals(recording.subarray(44))).toBe(
    true,
  )
  expect(
    provider.received.every(({ audio, fileName }) => audio.length <= limits.partBytes && fileName === 'audio.wav'),
  ).toBe(true)
  const starts = made.segments?.map(({ start }) => start) ?? []
  expect(starts[0]).toBe(0)
  expect(starts[1]).toBeGreaterThan(3)
  expect(starts[1]).toBeLessThan(3.5)
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
})

test('a model missing at its provider is named as the reason (S10.614)', async () => {
  provider.play(rejectsTranscription(404, 'The model does not exist'))
  const failed = await uploadAndTranscribe(app, anna, speech(1))
  expect(failed).toMatchObject({
    status: 'failed',
    charged: 0,
    error: { code: 'model_failed', message: /нет этой модели/ },
  })
  expect(failed.error?.message).not.toContain('повреждён')
  expect(await balance()).toBe(20_000)
})

test('a failed part costs nothing, and a retry begins with it', async () => {
  provider.play(transcribes('раз'), rejectsTranscription(400))
  const failed = await uploadAndTranscribe(app, anna, speech(20))
  expect(failed).toMatchObject({ status: 'failed', charged: 0, partsDone: 1 })
  expect(await balance()).toBe(20_000)
  provider.play(transcribes('дальше'))
  await anna.call(transcriptionsApi.retry, { params: { id: failed.id }, body: {} })
  const made = await settled(app, anna, failed.id)
  expect(made).toMatchObject({ status: 'ready', charged: 200 })
  expect(made.text).toMatch(/^раз\s+дальше/)
  expect(provider.received).toHaveLength((made.partsTotal ?? 0) - 1)
})

test('another instance continues a stale recording, which is charged once', async () => {
  const late = hangs()
  provider.play(transcribes('раз'), late.script)
  const { id } = await uploadRecording(anna, speech(20))
  await expect.poll(() => provider.received.length).toBe(2)
  await app.db.update(transcriptions).set({ instance: 'dead' }).where(eq(transcriptions.id, id))
  provider.play(transcribes('дальше'))
  const { storage, incoming } = app.files
  const other = createTranscriptionQueue({
    ...app.files,
    storage,
    incoming,
    ffmpeg: null,
    limits,
    providers: app.transcriptions.providers,
    publish: () => {},
    instance: await registerInstance(app.db),
  })
  other.wake()
  await other.idle()
  await other.close()
  const made = await anna.call(transcriptionsApi.get, { params: { id } })
  expect(made).toMatchObject({ status: 'ready', charged: 200 })
  expect(provider.received).toHaveLength((made.partsTotal ?? 0) - 1)
  late.wake()
  expect(await settled(app, anna, id)).toEqual(made)
  expect(await balance()).toBe(20_000 - 200)
})

test('a server that stops puts its recording back into the queue', async () => {
  const late = hangs()
  provider.play(transcribes('раз'), late.script)
  const { storage, incoming } = app.files
  const own = {
    ...app.files,
    storage,
    incoming,
    ffmpeg: null,
    limits,
    providers: app.transcriptions.providers,
    publish: () => {},
  }
  const stopping = createTranscriptionQueue(own)
  const { id } = await uploadRecording(anna, speech(0.5))
  await settled(app, anna, id)
  provider.play(late.script)
  await app.db.update(transcriptions).set({ state: 'queued', transcribed: [] }).where(eq(transcriptions.id, id))
  stopping.wake()
  await expect.poll(() => provider.received.length).toBe(1)
  await stopping.close()
  const [row] = await app.db.select().from(transcriptions).where(eq(transcriptions.id, id))
  expect(row?.state).toBe('queued')
  provider.play(transcribes('снова'))
  app.transcriptions.transcriptionQueue.wake()
  expect(await settled(app, anna, id)).toMatchObject({ status: 'ready', text: 'снова' })
})

test('without enough symbols nothing is sent; an empty balance rejects uploads', async () => {
  await setDailyCap(app.db, anna.user.id, 5)
  const capped = await uploadAndTranscribe(app, anna, speech(3))
  expect(capped).toMatchObject({ status: 'failed', error: { code: 'out_of_symbols', message: /дневной предел/ } })
  expect(provider.received).toHaveLength(0)
  await setDailyCap(app.db, anna.user.id, null)
  await app.db.update(models).set({ minutePrice: 1_000_000 }).where(eq(models.id, 'ear'))
  await anna.call(transcriptionsApi.retry, { params: { id: capped.id }, body: {} })
  expect((await settled(app, anna, capped.id)).error?.message).toMatch(/нужно 50\s000/)
  await app.db.update(models).set({ minutePrice: 400_000 }).where(eq(models.id, 'ear'))
  await anna.call(transcriptionsApi.retry, { params: { id: capped.id }, body: {} })
  expect(await settled(app, anna, capped.id)).toMatchObject({ status: 'ready', charged: 20_000 })
  await app.db.update(models).set({ minutePrice: 600 }).where(eq(models.id, 'ear'))
  expect((await sendRecording(anna, speech(1))).status).toBe(402)
})

test('stopping and deleting pay for what the provider was sent', async () => {
  const first = hangs()
  provider.play(first.script)
  const { id } = await uploadRecording(anna, speech(3))
  await expect.poll(() => provider.received.length).toBe(1)
  expect(await balance()).toBe(20_000 - 30)
  await anna.call(transcriptionsApi.update, { params: { id }, body: { title: 'Переговоры' } })
  const stopped = await anna.call(transcriptionsApi.stop, { params: { id } })
  expect(stopped).toMatchObject({ status: 'failed', error: { code: 'stopped' }, charged: 30 })
  expect(await balance()).toBe(20_000 - 30)
  await anna.call(transcriptionsApi.retry, { params: { id }, body: {} })
  await expect.poll(() => provider.received.length).toBe(2)
  await anna.call(transcriptionsApi.delete, { params: { id } })
  expect(await balance()).toBe(20_000 - 60)
  expect((await entries()).at(-1)?.note).toBe('Остановлена: модели отправлено 0:03')
  await app.transcriptions.transcriptionQueue.idle()
  await expect(anna.call(transcriptionsApi.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('a file without a length is held by size, charged as measured', async () => {
  const webm = Buffer.concat([Buffer.from('1a45dfa39f4282847765626d', 'hex'), Buffer.alloc(30_000)])
  provider.play(transcribesPlainly('текст', { seconds: 1.2 }))
  const made = await uploadAndTranscribe(app, anna, webm, {}, 'voice.webm')
  expect(made).toMatchObject({ status: 'ready', mime: 'audio/webm', durationMs: 1200, segments: null, charged: 20 })
  expect(provider.received[0]?.fileName).toBe('audio.webm')
})

test('two recordings are probed at once, one of a person (S10.1227)', async () => {
  const gate = createGate()
  const probed = { now: 0, most: 0, all: 0 }
  const seconds = async () => {
    probed.all += 1
    probed.now += 1
    probed.most = Math.max(probed.most, probed.now)
    await gate.opened
    probed.now -= 1
    return null
  }
  const rich = await startTestApp({
    database: app.database,
    transcriptionQueue: { limits, ffmpeg: { ...ffmpeg, seconds } },
    deps: { providers: app.transcriptions.providers },
  })
  const webm = Buffer.concat([Buffer.from('1a45dfa39f4282847765626d', 'hex'), Buffer.alloc(3000)])
  provider.play(...Array.from({ length: 5 }, () => transcribesPlainly('текст', { seconds: 1 })))
  const [boris, vera] = [await rich.signIn(), await rich.signIn()]
  const sent = [boris, boris].map((person) => sendRecording(person, webm, {}, 'voice.webm'))
  await expect.poll(() => probed.all).toBe(1)
  sent.push(...[vera, vera, await rich.signIn()].map((person) => sendRecording(person, webm, {}, 'voice.webm')))
  await expect.poll(() => probed.all).toBe(2)
  gate.open()
  await Promise.all(sent)
  expect(probed).toEqual({ now: 0, most: 2, all: 5 })
  await rich.transcriptions.transcriptionQueue.idle()
  await rich.close()
})

test('a large file that is not WAV needs ffmpeg', async () => {
  const large = makeMp3(200)
  const refused = await sendRecording(anna, large, {}, 'long.mp3')
  expect(refused.status).toBe(413)
  expect(await refused.json()).toMatchObject({ message: /нет ffmpeg.*WAV/ })
  expect(await anna.call(transcriptionsApi.list, { query: {} })).toEqual([])
  converted = makeWav([{ seconds: 5, loud: 0.5 }], { rate: 2000 })
  const rich = await startTestApp({
    database: app.database,
    transcriptionQueue: { limits, ffmpeg },
    deps: { providers: app.transcriptions.providers },
  })
  provider.play(transcribes('раз'))
  const boris = await rich.signIn()
  const made = await uploadAndTranscribe(rich, boris, large, {}, 'long.mp3')
  expect(made).toMatchObject({ status: 'ready', mime: 'audio/mpeg', durationMs: 5000 })
  expect(provider.received).toHaveLength(made.partsTotal ?? 0)
  expect(provider.received[0]?.fileName).toBe('audio.wav')
  await rich.close()
})

test('wrong files and wrong options are rejected without traces', async () => {
  const text = await sendRecording(anna, Buffer.from('просто текст'), {}, 'запись.mp3')
  expect(text.status).toBe(415)
  expect((await sendRecording(anna, speech(1), { language: 'xx' })).status).toBe(400)
  expect((await sendRecording(anna, speech(1), { modelId: 'demo' })).status).toBe(404)
  expect((await sendRecording(anna, Buffer.alloc(0))).status).toBe(400)
  expect(await anna.call(transcriptionsApi.list, { query: {} })).toEqual([])
})

test('the demo model transcribes without a provider and is charged equally', async () => {
  const made = await uploadAndTranscribe(app, anna, speech(3), { modelId: 'demo-transcription' })
  expect(made).toMatchObject({ status: 'ready', charged: 20, text: /демонстрационная расшифровка/ })
  expect(made.segments?.at(-1)?.end).toBe(3)
})
