import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { RecordingList } from './recording-list.tsx'
import { aTranscription } from './testing/a-transcription.ts'

const failed = aTranscription({ error: { code: 'model_failed', message: 'У провайдера нет этой модели.' } })

test('a failed recording says why, is free and can be retried (S10.614)', async () => {
  const server = new FakeServer()
    .on(transcriptionsApi.list, [failed])
    .on(modelsApi.list, [])
    .on(usersApi.me, aProfile())
    .on(transcriptionsApi.retry, { ...failed, status: 'queued', error: null })
  const { user } = render(<RecordingList query="" hrefOf={(id) => `/transcribe/${id}`} />)
  expect(await screen.findByText('У провайдера нет этой модели. Символы не списаны.')).toBeTruthy()
  server.on(transcriptionsApi.list, [{ ...failed, status: 'queued', error: null }])
  await user.click(screen.getByRole('button', { name: /^Повторить/ }))
  expect(await screen.findByText('В очереди')).toBeTruthy()
})
