import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWav } from '#server/audio/testing/make-sound.ts'
import { connect } from './connection.ts'
import { demoTranscribe } from './demo.ts'
import type { TranscribeRequest } from './llm.ts'
import { openAiTranscribe } from './openai-transcribe.ts'
import {
  type FakeTranscriber,
  hangs,
  rejectsTranscription,
  startFakeTranscriber,
  transcribes,
  transcribesPlainly,
} from './testing/fake-transcriber.ts'

let provider: FakeTranscriber
beforeAll(async () => {
  provider = await startFakeTranscriber()
})
afterAll(() => provider.close())

const audio = makeWav([{ seconds: 2, loud: 0.5 }])
const request = { model: 'whisper-1', audio, name: 'audio.wav', mime: 'audio/wav', language: 'ru', seconds: 2 }
const listen = (model = 'whisper-1', baseMs = 5000, signal = AbortSignal.timeout(5000)) =>
  openAiTranscribe(connect({ baseUrl: provider.baseUrl, apiKey: 'key' }), { baseMs, retryMs: 1 })(
    { ...request, model },
    signal,
  )

const ask = (changed: Partial<TranscribeRequest>) =>
  openAiTranscribe(connect({ baseUrl: provider.baseUrl, apiKey: 'key' }), { baseMs: 5000, retryMs: 1 })(
    { ...request, ...changed },
    AbortSignal.timeout(5000),
  )

test('a recording is sent unchanged, and words return with times', async () => {
  provider.play(transcribes('Раз', 'два'))
  expect(await listen()).toEqual({
    text: 'Раз два',
    segments: [
      { start: 0, end: 1, text: 'Раз', speaker: null },
      { start: 1, end: 2, text: 'два', speaker: null },
    ],
    seconds: 2,
  })
  expect(provider.received[0]?.audio.equals(audio)).toBe(true)
  expect(provider.received[0]).toMatchObject({
    fileName: 'audio.wav',
    fields: { model: 'whisper-1', response_format: 'verbose_json', language: 'ru' },
  })
})

test('a model that refuses times is asked without times', async () => {
  provider.play(rejectsTranscription(400, 'response_format'), transcribesPlainly('текст', { seconds: 7 }))
  expect(await listen('other')).toMatchObject({ text: 'текст', segments: null, seconds: 7 })
  expect(provider.received.map(({ fields }) => fields.response_format)).toEqual(['verbose_json', 'json'])
  provider.play(transcribesPlainly('текст', { input_tokens: 10, output_tokens: 3 }))
  expect(await listen('gpt-transcribe')).toMatchObject({ text: 'текст', seconds: null })
  expect(provider.received[0]?.fields).toMatchObject({ response_format: 'json', 'languages[]': 'ru' })
  provider.play(transcribes('кто-то'))
  await listen('gpt-4o-transcribe-diarize')
  expect(provider.received[0]?.fields).toMatchObject({ response_format: 'diarized_json', chunking_strategy: 'auto' })
})

test('a temporary error is retried, a rejection is not', async () => {
  provider.play(rejectsTranscription(503), rejectsTranscription(429), transcribes('да'))
  expect((await listen()).text).toBe('да')
  expect(provider.received).toHaveLength(3)
  provider.play(rejectsTranscription(401))
  await expect(listen()).rejects.toMatchObject({ kind: 'key' })
  expect(provider.received).toHaveLength(1)
  provider.play(rejectsTranscription(500))
  await expect(listen()).rejects.toMatchObject({ kind: 'down' })
  expect(provider.received).toHaveLength(3)
  provider.play(transcribesPlainly('', undefined), (response) => void response.end('not json'))
  await listen()
  await expect(listen()).rejects.toMatchObject({ kind: 'down' })
})

test('silence is a timeout, and an abort stops the call', async () => {
  provider.play(hangs().script)
  const patient = openAiTranscribe(connect({ baseUrl: provider.baseUrl, apiKey: null }), { baseMs: 20, retryMs: 1 })
  await expect(patient({ ...request, seconds: 0 }, AbortSignal.timeout(5000))).rejects.toMatchObject({
    kind: 'timeout',
  })
  const stop = new AbortController()
  const listening = listen('whisper-1', 5000, stop.signal)
  stop.abort(new Error('enough'))
  await expect(listening).rejects.toThrow('enough')
})

test('the demo names itself and tells sound from silence', async () => {
  const recording = makeWav([
    { seconds: 3, loud: 0.6 },
    { seconds: 2, loud: 0 },
    { seconds: 1, loud: 0.4 },
  ])
  const transcribed = await demoTranscribe({ ...request, audio: recording, seconds: 6 }, AbortSignal.timeout(5000))
  expect(transcribed.segments?.map(({ start, end }) => [start, end])).toEqual([
    [0, 3],
    [3, 5],
    [5, 6],
  ])
  expect(transcribed.text).toMatch(
    /^Это демонстрационная расшифровка.*звук, 3 с\. Тишина, 2 с\. Здесь есть звук, 1 с\.$/,
  )
  const unknown = await demoTranscribe(
    { ...request, audio: Buffer.from('mp3'), seconds: 40 },
    AbortSignal.timeout(5000),
  )
  expect(unknown.segments?.at(-1)).toMatchObject({ start: 30, end: 40 })
})

test('OpenAI gets the known voices and names who spoke (S10.785)', async () => {
  const segments = [
    { id: 'seg_1', type: 'transcript.text.segment', start: 0, end: 1, speaker: 's1', text: ' Да' },
    { id: 'seg_2', type: 'transcript.text.segment', start: 1, end: 2, speaker: 'A', text: ' Нет' },
  ]
  const usage = { type: 'duration', seconds: 2 }
  provider.play((response) => {
    response.end(JSON.stringify({ task: 'transcribe', duration: 2, text: 'Да Нет', segments, usage }))
  })
  const known = [{ name: 's1', audio: Buffer.from('RIFF') }]
  const speakers = { mode: 'diarized_json', max: null, known } as const
  const heard = await ask({ model: 'gpt-4o-transcribe-diarize', speakers })
  expect(heard.segments?.map(({ speaker }) => speaker)).toEqual(['s1', 'A'])
  expect(provider.received[0]?.fields).toMatchObject({
    response_format: 'diarized_json',
    chunking_strategy: 'auto',
    'known_speaker_names[]': 's1',
    'known_speaker_references[]': 'data:audio/wav;base64,UklGRg==',
  })
})

test('whisperX is asked for labels; a refusal is asked without them (S10.780)', async () => {
  const segments = [
    { start: 0, end: 1.5, text: ' Раз', speaker: 'SPEAKER_00', words: [{ word: 'Раз', speaker: 'SPEAKER_00' }] },
    { start: 1.5, end: 2, text: ' два', words: [] },
  ]
  provider.play((response) => void response.end(JSON.stringify({ segments, word_segments: [], language: 'ru' })))
  const speakers = { mode: 'segments', max: 3, known: [] } as const
  const heard = await ask({ model: 'large-v3', speakers })
  expect(heard).toMatchObject({ text: 'Раз два', segments: [{ speaker: 'SPEAKER_00' }, { speaker: null }] })
  expect(provider.received[0]?.fields).toMatchObject({ diarize: 'true', max_speakers: '3' })
  provider.play(rejectsTranscription(400), transcribesPlainly('текст'))
  expect((await ask({ model: 'large-v3', speakers })).text).toBe('текст')
  expect(provider.received[1]?.fields).not.toHaveProperty('diarize')
})

test('speaches is asked twice, and times join both answers (S10.780)', async () => {
  const turns = [
    { start: 0, end: 0.8, speaker: 'SPEAKER_01' },
    { start: 0.8, end: 9, speaker: 'SPEAKER_00' },
  ]
  const speakers = { mode: 'diarization', max: null, known: [] } as const
  const answersTurns = (response: ServerResponse) => void response.end(JSON.stringify({ duration: 9, segments: turns }))
  provider.play(transcribes('Раз', 'два'), answersTurns)
  const heard = await ask({ model: 'whisper-1', speakers })
  expect(heard.segments?.map(({ speaker }) => speaker)).toEqual(['SPEAKER_01', 'SPEAKER_00'])
  // Without the second answer the text is still there.
  provider.play(transcribes('Раз'), rejectsTranscription(404))
  expect(await ask({ model: 'whisper-1', speakers })).toMatchObject({ text: 'Раз', segments: [{ speaker: null }] })
})
