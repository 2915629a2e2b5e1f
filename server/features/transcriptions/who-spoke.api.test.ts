import { writeFile } from 'node:fs/promises'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { holds, ledger, models, transcriptions } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { SALUTE_KEY, SPEECHKIT_KEY, startFakeSalute, startFakeSpeechKit } from '#server/llm/testing/fake-speech.ts'
import { rejectsTranscription, startFakeTranscriber, transcribes } from '#server/llm/testing/fake-transcriber.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'
import { createTranscriptionQueue } from './queue.ts'
import { settled, uploadAndTranscribe, uploadRecording } from './testing/record.ts'

const limits = { wholeBytes: 60_000, partBytes: 44 + 16_000, partSeconds: 600 }
const openai = await closeAfterTests(startFakeTranscriber())
const kit = await closeAfterTests(startFakeSpeechKit())
const salute = await closeAfterTests(startFakeSalute())
const logged: string[] = []
const patience = { pollMs: 5, mostMs: 20, baseMs: 20_000, retryMs: 1 }
const { baseUrl, tokenUrl } = salute
const providers = createProviders(
  [
    { name: 'fake', baseUrl: openai.baseUrl, apiKey: 'key' },
    { name: 'kit', kind: 'speechkit', baseUrl: kit.baseUrl, apiKey: SPEECHKIT_KEY },
    { name: 'salute', kind: 'salute', baseUrl, tokenUrl, apiKey: SALUTE_KEY },
  ],
  { patience },
)
const ffmpeg = {
  toWav: async () => {},
  toOpus: (_: string, to: string) => writeFile(to, 'opus'),
  seconds: async () => null,
  decodedSeconds: async () => null,
}
const log = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [
    level,
    (...args: unknown[]) => void logged.push(JSON.stringify(args, replaceError)),
  ]),
)
const replaceError = (_: string, value: unknown) =>
  value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value
const app = await testApp({ deps: { providers }, transcriptionQueue: { limits, ffmpeg, log: log as never } })
const rows = [
  { id: 'diarize', provider: 'fake', providerModel: 'gpt-4o-transcribe-diarize', speakers: 'diarized_json' },
  { id: 'whisperx', provider: 'fake', providerModel: 'large-v3', speakers: 'segments', maxSpeakers: 3 },
  { id: 'kit', provider: 'kit', providerModel: 'general', speakers: 'service', maxSpeakers: 2 },
  { id: 'salute', provider: 'salute', providerModel: 'general', speakers: 'service', maxSpeakers: 4 },
] as const
for (const row of rows)
  await app.db.insert(models).values({ ...row, name: row.id, kind: 'transcription', minutePrice: 600, position: 9 })

let anna: SignedIn
beforeEach(async () => {
  anna = await app.signIn()
  openai.play(transcribes('Раз'))
  kit.play({})
  salute.play({})
})
afterEach(async () => {
  expect(await reconcile(app.db)).toEqual([])
  expect(await app.db.$count(holds, eq(holds.state, 'active'))).toBe(0)
})

const speech = (seconds: number) => makeWav([{ seconds, loud: 0.5 }], { rate: 2000 })
const balance = async () => (await balanceOf(app.db, anna.user.id)).availableTokens
const charges = () => app.db.$count(ledger, and(eq(ledger.userId, anna.user.id), eq(ledger.kind, 'transcription')))
const rowOf = async (id: string) => {
  const [row] = await app.db.select().from(transcriptions).where(eq(transcriptions.id, id))
  return row
}
const retry = (id: string, body = {}) => anna.call(transcriptionsApi.retry, { params: { id }, body })

/** A part in which each of `labels` says a word for 2.5 seconds. */
const says =
  (...labels: string[]): Parameters<typeof openai.play>[0] =>
  (response) => {
    const segments = labels.map((speaker, i) => ({ start: i * 2.5, end: i * 2.5 + 2.5, text: speaker, speaker }))
    response.writeHead(200).end(JSON.stringify({ text: 'x', duration: 5, segments }))
  }

test('people keep their names over the parts where voices are known (S10.780, S10.785)', async () => {
  openai.play(says('A', 'B'), says('s2', 's1'), says('s1', 'A'), says('s1'), says('s1'), says('s1'))
  const made = await uploadAndTranscribe(app, anna, speech(20), { modelId: 'diarize' })
  expect(made.status).toBe('ready')
  expect(made.segments?.slice(0, 6).map(({ speaker }) => speaker)).toEqual(['s1', 's2', 's2', 's1', 's1', 's3'])
  expect(made.speakers.map(({ name }) => name)).toEqual(['Участник 1', 'Участник 2', 'Участник 3'])
  const [first, second] = openai.received
  expect(first?.fields).not.toHaveProperty('known_speaker_names[]')
  expect(second?.all('known_speaker_names[]')).toEqual(['s1', 's2'])
  for (const reference of second?.all('known_speaker_references[]') ?? []) {
    const seconds = (Buffer.from(reference.split(',')[1] ?? '', 'base64').length - 44) / 4000
    expect(seconds).toBeGreaterThanOrEqual(2)
    expect(seconds).toBeLessThanOrEqual(10)
  }
})

test('labels that begin anew are new people, whom their owner joins (S10.782, S10.785)', async () => {
  openai.play(says('SPEAKER_00', 'SPEAKER_01'), says('SPEAKER_00'), says('SPEAKER_00'))
  const made = await uploadAndTranscribe(app, anna, speech(20), { modelId: 'whisperx' })
  expect(openai.received[0]?.fields).toMatchObject({ diarize: 'true', max_speakers: '3' })
  const keys = made.speakers.map(({ key }) => key)
  expect(keys.slice(0, 3)).toEqual(['s1', 's2', 's3'])
  const speakers = keys.slice(2).map((key) => ({ key, joinedTo: 's1' }))
  const joined = await anna.call(transcriptionsApi.update, { params: { id: made.id }, body: { speakers } })
  expect(joined.speakers.map(({ key }) => key)).toEqual(['s1', 's2'])
  expect(joined.segments?.at(-1)?.speaker).toBe('s1')
})

test('a service gets the recording whole and is charged by seconds once (S10.786, S10.790)', async () => {
  salute.play({
    phrases: [
      { start: 0, end: 4, text: 'Добрый день.', speaker: 2 },
      { start: 4, end: 9, text: 'Здравствуйте.', speaker: 1 },
    ],
  })
  const made = await uploadAndTranscribe(app, anna, speech(40), { modelId: 'salute' })
  expect(made).toMatchObject({ status: 'ready', charged: 400, durationMs: 40_000, partsTotal: 1 })
  expect(made.segments?.map(({ speaker }) => speaker)).toEqual(['s1', 's2'])
  expect([salute.begun(), salute.sent()?.bytes]).toEqual([1, 4])
  expect(await balance()).toBe(20_000 - 400)
})

test('a failed service costs nothing, and another model is charged once (S10.787, S10.790)', async () => {
  salute.play({ fails: true })
  const failed = await uploadAndTranscribe(app, anna, speech(3), { modelId: 'salute' })
  expect(failed).toMatchObject({ status: 'failed', charged: 0, error: { code: 'model_failed' } })
  expect((await rowOf(failed.id))?.operation).toBeNull()
  openai.play(rejectsTranscription(400))
  await retry(failed.id, { modelId: 'diarize' })
  expect(await settled(app, anna, failed.id)).toMatchObject({ status: 'failed', charged: 0 })
  await retry(failed.id, { modelId: 'kit' })
  expect(await settled(app, anna, failed.id)).toMatchObject({ status: 'ready', charged: 30, modelId: 'kit' })
  expect([await balance(), await charges()]).toEqual([20_000 - 30, 1])
})

test('a killed server leaves an operation that the next one continues (S10.789)', async () => {
  const [begun, polled] = [kit.begun(), kit.polled()]
  kit.play({ polls: 40, phrases: [{ start: 0, end: 2, text: 'Конец.', speaker: 1 }] })
  const { id } = await uploadRecording(anna, speech(3), { modelId: 'kit' })
  await expect.poll(() => kit.polled()).toBeGreaterThan(polled + 1)
  expect((await rowOf(id))?.operation).toMatchObject({ id: expect.any(String), seconds: 3 })
  await app.db.update(transcriptions).set({ instance: 'dead' }).where(eq(transcriptions.id, id))
  const instance = await registerInstance(app.db)
  const other = createTranscriptionQueue({ ...app.files, ffmpeg, limits, providers, publish: () => {}, instance })
  other.wake()
  await other.idle()
  await other.close()
  const made = await settled(app, anna, id)
  expect(made).toMatchObject({ status: 'ready', text: 'Конец.', charged: 30 })
  expect(kit.begun()).toBe(begun + 1)
  expect([await balance(), await charges()]).toEqual([20_000 - 30, 1])
})

test('a stopped operation is paid once, with its text (S10.789, S10.790)', async () => {
  const begun = salute.begun()
  salute.play({ polls: 20 })
  const { id } = await uploadRecording(anna, speech(3), { modelId: 'salute' })
  await expect.poll(async () => (await rowOf(id))?.operation).toBeTruthy()
  expect(await anna.call(transcriptionsApi.stop, { params: { id } })).toMatchObject({ charged: 30 })
  await app.transcriptions.transcriptionQueue.idle()
  await retry(id)
  expect(await settled(app, anna, id)).toMatchObject({ status: 'ready', text: 'Привет', charged: 30 })
  expect(salute.begun()).toBe(begun + 1)
  expect(await balance()).toBe(20_000 - 30)
})

test('a language that a service lacks is refused before anything is sent', async () => {
  const begun = salute.begun()
  const failed = await uploadAndTranscribe(app, anna, speech(1), { modelId: 'salute', language: 'fr' })
  expect(failed).toMatchObject({ status: 'failed', charged: 0, error: { message: /русский, английский, казахский/ } })
  expect(salute.begun()).toBe(begun)
})

test('no key and no token of a service is in the log (S10.791)', async () => {
  salute.fail(401, 401, 401)
  kit.play({ fails: true })
  for (const modelId of ['salute', 'kit'])
    expect((await uploadAndTranscribe(app, anna, speech(1), { modelId })).status).toBe('failed')
  expect(logged.length).toBeGreaterThan(0)
  for (const secret of [SALUTE_KEY, SPEECHKIT_KEY, 'salute-token'])
    expect(logged.filter((line) => line.includes(secret))).toEqual([])
})
