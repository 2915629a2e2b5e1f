import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import type { LocalRecording } from './local/recordings.ts'
import { LocalRecordingCard } from './local-recording-card.tsx'

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
