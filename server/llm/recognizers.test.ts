import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from './connection.ts'
import type { RecognizeRequest } from './llm.ts'
import { usualCountry } from './profile.ts'
import { readModelProviders } from './provider-settings.ts'
import { createProviders } from './providers.ts'
import { jsonObjects } from './recognition.ts'
import { saluteSpeech } from './salute.ts'
import { speechKit } from './speechkit.ts'
import {
  type FakeSalute,
  type FakeSpeech,
  SALUTE_KEY,
  SPEECHKIT_KEY,
  startFakeSalute,
  startFakeSpeechKit,
} from './testing/fake-speech.ts'

let yandex: FakeSpeech
let salute: FakeSalute
beforeAll(async () => {
  yandex = await startFakeSpeechKit()
  salute = await startFakeSalute()
})
afterAll(async () => {
  await yandex.close()
  await salute.close()
})

const patience = { pollMs: 1, mostMs: 5, baseMs: 5000, retryMs: 1 }
const kit = () => speechKit(connect({ kind: 'speechkit', baseUrl: yandex.baseUrl, apiKey: SPEECHKIT_KEY }), patience)
const sber = (apiKey = SALUTE_KEY) => {
  const { baseUrl, tokenUrl } = salute
  return saluteSpeech(connect({ kind: 'salute', baseUrl, tokenUrl, apiKey }), patience)
}
const signal = () => AbortSignal.timeout(10_000)

const bytes = Buffer.from('a recording, in chunks of seven bytes')
async function* inChunks() {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}
const request: RecognizeRequest = {
  ...{ model: 'general', mime: 'audio/ogg', language: 'ru', seconds: 6 },
  sound: { bytes: bytes.length, read: inChunks },
  speakers: { max: 3 },
}
const hash = createHash('sha256').update(bytes).digest('hex')
const run = async (service: ReturnType<typeof kit>, changed: Partial<RecognizeRequest> = {}) => {
  const id = await service.start({ ...request, ...changed }, signal())
  return service.result({ id, seconds: 6 }, signal())
}

test('SpeechKit gets the whole recording and tells two speakers apart (S10.786)', async () => {
  yandex.play({
    polls: 2,
    phrases: [
      { start: 0, end: 2, text: 'Добрый день.', speaker: 0 },
      { start: 2, end: 3, text: 'Да "{слушаю}".', speaker: 1 },
      { start: 3, end: 5, text: 'Начнём.', speaker: 0 },
    ],
  })
  expect(await run(kit())).toEqual({
    text: 'Добрый день. Да "{слушаю}". Начнём.',
    segments: [
      { start: 0, end: 2, text: 'Добрый день.', speaker: '0' },
      { start: 2, end: 3, text: 'Да "{слушаю}".', speaker: '1' },
      { start: 3, end: 5, text: 'Начнём.', speaker: '0' },
    ],
    seconds: null,
  })
  expect(yandex.sent()).toEqual({ bytes: bytes.length, sha256: hash })
  expect(yandex.options()).toMatchObject({
    recognitionModel: {
      model: 'general',
      audioFormat: { containerAudio: { containerAudioType: 'OGG_OPUS' } },
      languageRestriction: { restrictionType: 'WHITELIST', languageCode: ['ru-RU'] },
    },
    speakerLabeling: { speakerLabeling: 'SPEAKER_LABELING_ENABLED' },
  })
  await run(kit(), { speakers: null, language: null })
  expect(yandex.options()).not.toHaveProperty('speakerLabeling')
  expect(yandex.options().recognitionModel).not.toHaveProperty('languageRestriction')
})

test('SaluteSpeech counts every phrase once, by its speaker (S10.786)', async () => {
  const phrases = [
    { start: 0.32, end: 0.96, text: 'Раз.', speaker: 2 },
    { start: 1, end: 2, text: 'Два.', speaker: 1 },
    { start: 2, end: 3, text: 'Три.', speaker: 3 },
  ]
  salute.play({ phrases, polls: 3 })
  const heard = await run(sber())
  expect(heard.segments).toEqual(phrases.map((phrase) => ({ ...phrase, speaker: String(phrase.speaker) })))
  expect(heard.text).toBe('Раз. Два. Три.')
  expect(salute.sent()).toEqual({ bytes: bytes.length, sha256: hash })
  expect(salute.options()).toMatchObject({
    audio_encoding: 'OPUS',
    language: 'ru-RU',
    speaker_separation_options: { enable: true, enable_only_main_speaker: false, count: 3 },
  })
  salute.play({ phrases: phrases.map(({ speaker: _, ...phrase }) => phrase) })
  expect((await run(sber(), { speakers: null })).segments?.map(({ speaker }) => speaker)).toEqual([null, null, null])
  expect(salute.options()).not.toHaveProperty('speaker_separation_options')
})

test('an expired token is renewed, and the waiting goes on (S10.787)', async () => {
  salute.tokens.revoke()
  const before = salute.tokens.given()
  const service = sber()
  salute.play({ polls: 2 })
  const id = await service.start(request, signal())
  salute.tokens.revoke()
  expect((await service.result({ id, seconds: 6 }, signal())).text).toBe('Привет')
  expect(salute.tokens.given()).toBe(before + 2)
})

test('a failed task is an error, an unavailable service only a delay (S10.787)', async () => {
  salute.play({ fails: true })
  await expect(run(sber())).rejects.toMatchObject({ kind: 'refused', reason: 'recognition-failed' })
  yandex.play({ fails: true })
  await expect(run(kit())).rejects.toMatchObject({ kind: 'refused' })
  const begun = yandex.begun()
  yandex.play({})
  yandex.fail(503)
  const service = kit()
  const id = await service.start(request, signal())
  yandex.fail(500, 502, 429)
  expect((await service.result({ id, seconds: 6 }, signal())).text).toBe('Привет')
  expect(yandex.begun()).toBe(begun + 1)
  await expect(run(sber(Buffer.from('wrong').toString('base64')))).rejects.toMatchObject({ kind: 'key' })
})

test('a service without end is a timeout; an abort stops waiting', async () => {
  yandex.play({ polls: 100_000 })
  const impatient = speechKit(connect({ kind: 'speechkit', baseUrl: yandex.baseUrl, apiKey: SPEECHKIT_KEY }), {
    ...patience,
    baseMs: 30,
  })
  const id = await impatient.start(request, signal())
  await expect(impatient.result({ id, seconds: 0 }, signal())).rejects.toMatchObject({ kind: 'timeout' })
  const stop = new AbortController()
  const waiting = kit().result({ id, seconds: 6 }, stop.signal)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('four hours are uploaded without being in memory (S10.788)', async () => {
  const chunk = Buffer.alloc(256 * 1024, 7)
  const count = Math.ceil((4 * 3600 * 32_000) / chunk.length)
  const MB = 1024 * 1024
  // What is read and has not yet reached the service is in memory or in the buffers of sockets.
  const uploadTo = async (fake: FakeSpeech, service: ReturnType<typeof kit>) => {
    const before = fake.received()
    let most = 0
    async function* read() {
      for (let i = 0; i < count; i += 1) {
        most = Math.max(most, i * chunk.length - (fake.received() - before))
        yield chunk
      }
    }
    const sound = { bytes: count * chunk.length, read }
    await service.start({ ...request, sound, seconds: 4 * 3600 }, AbortSignal.timeout(60_000))
    expect(fake.sent()?.bytes).toBe(sound.bytes)
    expect(sound.bytes).toBeGreaterThan(430 * MB)
    return most
  }
  expect(await uploadTo(yandex, kit())).toBeLessThan(32 * MB)
  expect(await uploadTo(salute, sber())).toBeLessThan(32 * MB)
}, 60_000)

test('speech services offer no chat, and chats no whole recordings', async () => {
  const providers = createProviders([
    { name: 'kit', kind: 'speechkit', baseUrl: yandex.baseUrl, apiKey: SPEECHKIT_KEY },
    { name: 'other', baseUrl: yandex.baseUrl, apiKey: 'key' },
  ])
  expect(() => providers.llm('kit')).toThrow()
  expect(() => providers.transcribe('kit')).toThrow()
  expect(providers.recognizer('kit')).not.toBeNull()
  expect(providers.recognizer('other')).toBeNull()
  expect(providers.list().find(({ name }) => name === 'kit')).toMatchObject({ modelKinds: ['transcription'] })
  expect((await providers.offer('kit')).map(({ id }) => id)).toContain('general')
})

test.each([
  ['{"a":1}{"b":"}{"}\n\n{"c":{"d":"\\""}}', [{ a: 1 }, { b: '}{' }, { c: { d: '"' } }]],
  ['', []],
  ['[{"a":1},\n{"b":2}]', [{ a: 1 }, { b: 2 }]],
])('JSON objects one after another: %s', (text, objects) => {
  expect(jsonObjects(text)).toEqual(objects)
})

test('a stream that ends inside an object is cut', () => {
  expect(() => jsonObjects('{"a":1}{"b":')).toThrow()
})

test('a speech service needs only its key', () => {
  const { configured, problems } = readModelProviders({
    PROVIDER_SPEECH_KIND: 'speechkit',
    PROVIDER_SPEECH_API_KEY: 'a',
    PROVIDER_SALUTE_KIND: 'salute',
    PROVIDER_SALUTE_API_KEY: 'b',
    PROVIDER_SALUTE_SCOPE: 'SALUTE_SPEECH_CORP',
    PROVIDER_WRONG_KIND: 'speechkit',
  })
  expect(configured).toEqual([
    { name: 'speech', kind: 'speechkit', baseUrl: 'https://stt.api.cloud.yandex.net/stt/v3', apiKey: 'a' },
    {
      ...{ name: 'salute', kind: 'salute', baseUrl: 'https://smartspeech.sber.ru/rest/v1', apiKey: 'b' },
      scope: 'SALUTE_SPEECH_CORP',
    },
  ])
  expect(configured.map((provider) => usualCountry(provider))).toEqual(['RU', 'RU'])
  expect(problems).toEqual([expect.stringContaining('PROVIDER_WRONG_API_KEY')])
})
