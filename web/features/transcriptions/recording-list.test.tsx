import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { usersApi } from '#contract/users.ts'
import { paths } from '#web/lib/paths.ts'
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

test('a finished recording has a button that opens it (S10.1498)', async () => {
  new FakeServer().on(transcriptionsApi.list, [
    { ...failed, status: 'ready', error: null },
    { ...failed, id: 't2', title: 'Другое', status: 'queued', error: null },
  ])
  render(<RecordingList query="" hrefOf={paths.transcription} />)
  const link = await screen.findByRole('link', { name: 'Открыть «Совещание»' })
  expect(link.getAttribute('href')).toBe(paths.transcription('t1'))
  expect(screen.queryByRole('link', { name: 'Открыть «Другое»' })).toBeNull()
})
