import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeAmr, makeMp4, makeWav } from '#server/audio/testing/make-sound.ts'
import { models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { startFakeTranscriber, transcribes } from '#server/llm/testing/fake-transcriber.ts'
import { startTestApp, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { balanceOf } from '../billing/ledger.ts'
import { sendRecording, uploadAndTranscribe } from './testing/record.ts'

const provider = await closeAfterTests(startFakeTranscriber())
const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
const app = await testApp({ deps: { providers } })
const model = { kind: 'transcription', provider: 'fake', providerModel: 'whisper-1', position: -1 } as const
await app.db.insert(models).values({ id: 'ear', name: 'Слух', minutePrice: 600, ...model })

const ffmpeg = {
  toWav: (_: string, to: string) => writeFile(to, makeWav([{ seconds: 3, loud: 0.5 }], { rate: 2000 })),
  toOpus: () => Promise.reject(new Error('not used')),
  seconds: async () => null,
  decodedSeconds: async () => null,
}

test('a recording without sound or index is free and not sent (S10.738)', async () => {
  const anna = await app.signIn()
  for (const [bytes, reason] of [
    [makeMp4(5, 0, 'vide'), /нет звуковой дорожки/],
    [makeMp4(5).subarray(0, 400), /оборвана/],
  ] as const) {
    const answer = await sendRecording(anna, bytes, { modelId: 'ear' }, 'a.mp4')
    expect(answer.status).toBe(415)
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(reason) })
  }
  await app.transcriptions.transcriptionQueue.idle()
  expect(provider.received).toEqual([])
  expect((await balanceOf(app.db, anna.user.id)).availableTokens).toBe(20_000)
})

test('a recording of a phone is converted, or refused without ffmpeg (S10.738)', async () => {
  const anna = await app.signIn()
  const refused = await sendRecording(anna, makeAmr(150), { modelId: 'ear' }, 'a.amr')
  expect([refused.status, await refused.json()]).toEqual([
    415,
    expect.objectContaining({ message: expect.stringMatching(/MP3 или WAV/) }),
  ])
  const rich = await startTestApp({ database: app.database, transcriptionQueue: { ffmpeg }, deps: { providers } })
  provider.play(transcribes('раз'))
  const boris = await rich.signIn()
  const made = await uploadAndTranscribe(rich, boris, makeAmr(150), { modelId: 'ear' }, 'a.amr')
  expect(made).toMatchObject({ status: 'ready', mime: 'audio/amr', durationMs: 3000, text: 'раз' })
  expect(provider.received[0]).toMatchObject({ fileName: 'audio.wav' })
  await rich.close()
})
