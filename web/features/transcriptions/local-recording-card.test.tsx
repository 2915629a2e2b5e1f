import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import type { LocalRecording } from './local/recordings.ts'
import { changeRecording, storeRecording } from './local/recordings.ts'
import { LocalRecordingCard } from './local-recording-card.tsx'
import { NewRecording } from './new-recording.tsx'
import { aTranscription } from './testing/a-transcription.ts'

test('a fresh recording plays in the player of the product (S10.1498)', async () => {
  new FakeServer().on(usersApi.me, aProfile())
  const recording = {
    id: 'r1',
    name: 'voice.webm',
    title: 'Запись',
    kind: 'voice',
    seconds: 65,
    sending: null,
    error: null,
  }
  const options = { language: '', model: undefined, body: {}, setLanguage() {}, setModel() {} }
  render(
    <LocalRecordingCard recording={{ ...recording, blob: new Blob(['звук']) } as LocalRecording} options={options} />,
  )
  expect(await screen.findByRole('button', { name: 'Слушать' })).toBeTruthy()
  expect(screen.getByRole('slider', { name: 'Место в записи' }).getAttribute('aria-valuetext')).toBe('0:00 из 1:05')
  expect(document.querySelector('audio')?.hasAttribute('controls')).toBe(false)
})

const question = 'Запись идёт 8:59: расшифровка стоит 3 600 символов, а было названо 40. Ничего не списано.'

async function open() {
  const userId = newUserId()
  const blob = new Blob(['sound'])
  const file = { userId, kind: 'file', name: 'a.m4a', title: null, blob, seconds: null } as const
  const { id } = await storeRecording(file)
  await changeRecording(id, { seconds: 6 })
  const server = new FakeServer()
    .on(usersApi.me, aProfile({ availableTokens: 100_000 }, { id: userId }))
    .on(modelsApi.list, [aModel({ id: 'ear', kind: 'transcription', minutePrice: 400 })])
    .on(transcriptionsApi.list, [])
    .on(transcriptionsApi.begin, { id, received: 5, bytes: 5, chunkBytes: 100 })
    .on(transcriptionsApi.finish, ({ body }) =>
      body.most === 40 ? rejection('conflict', question, 'most') : aTranscription({ id, status: 'queued' }),
    )
    .on(transcriptionsApi.get, aTranscription({ id, status: 'uploading', durationMs: 539_000 }))
  return { server, ...render(<NewRecording userId={userId} />, { userId }) }
}

test('a recording longer than named shows its real price and asks (S10.1600)', async () => {
  const { user, server } = await open()
  await user.click(await screen.findByRole('button', { name: 'Расшифровать · 40' }))
  expect((await screen.findByRole('alert')).textContent).toBe(question)
  expect(screen.getByText(/^8:59 · /)).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: /^Расшифровать · 3.594$/ }))
  await expect.poll(() => server.calls(transcriptionsApi.finish).map(({ body }) => body.most)).toEqual([40, 3594])
  await expect.poll(() => screen.queryByText('a.m4a')).toBeNull()
})
