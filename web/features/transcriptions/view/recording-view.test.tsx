import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Transcription, transcriptionsApi } from '#contract/transcriptions.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { RecordingView } from './recording-view.tsx'

const recording: Transcription = {
  ...{ id: 't1', title: 'Планёрка', fileName: 'a.wav', mime: 'audio/wav', bytes: 100, received: 100, error: null },
  ...{
    durationMs: 10_000,
    language: null,
    modelId: 'ear',
    status: 'ready',
    progress: 100,
    partsDone: 1,
    partsTotal: 1,
  },
  ...{ edited: false, paid: 0, charged: 10, fragment: [], text: 'Добрый день. Здравствуйте. Начнём день.' },
  segments: [
    { start: 0, end: 5, text: 'Добрый день.', speaker: 's1' },
    { start: 5, end: 7, text: 'Здравствуйте.', speaker: 's2' },
    { start: 7, end: 10, text: 'Начнём день.', speaker: 's3' },
  ],
  speakers: [
    { key: 's1', name: 'Участник 1', color: 0 },
    { key: 's2', name: 'Участник 2', color: 1 },
    { key: 's3', name: 'Участник 3', color: 2 },
  ],
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
}

function open(shown: Transcription = recording) {
  const changes: unknown[] = []
  new FakeServer().on(transcriptionsApi.list, []).on(transcriptionsApi.update, ({ body }) => {
    changes.push(body)
    return shown
  })
  const { user } = render(<RecordingView recording={shown} back="/transcribe" onAsk={() => {}} onGone={() => {}} />)
  return { user, changes }
}

test('a person is renamed and coloured in one dialog (S10.781, S10.792)', async () => {
  const { user, changes } = open()
  await user.click(screen.getByRole('button', { name: /^Участник 1\s*50 %\s*времени. Изменить$/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Участник 1' })
  await user.type(within(dialog).getByLabelText('Имя'), ' Анна ')
  await user.click(within(dialog).getByLabelText('Розовый'))
  await user.click(within(dialog).getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(changes).toEqual([{ speakers: [{ key: 's1', name: 'Анна', color: 3 }] }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('marked people become one in one step (S10.782)', async () => {
  const { user, changes } = open()
  await user.click(screen.getByRole('button', { name: 'Объединить' }))
  const dialog = await screen.findByRole('dialog', { name: 'Объединить участников' })
  const confirm = within(dialog).getByRole('button', { name: 'Объединить' })
  expect(confirm).toHaveProperty('disabled', true)
  await user.click(within(dialog).getByRole('checkbox', { name: /Участник 1/ }))
  await user.click(within(dialog).getByRole('checkbox', { name: /Участник 3.*Начнём день/ }))
  await user.selectOptions(within(dialog).getByLabelText('Останется имя'), 'Участник 3')
  await user.click(confirm)
  await waitFor(() => expect(changes).toEqual([{ speakers: [{ key: 's1', joinedTo: 's3' }] }]))
})

test('a turn is given to another person and keeps its time (S10.783)', async () => {
  const { user, changes } = open()
  await user.click(screen.getByRole('button', { name: 'Участник 2: изменить, кто говорит с 0:05' }))
  const dialog = await screen.findByRole('dialog', { name: 'Кто говорит' })
  await user.click(within(dialog).getByRole('radio', { name: 'Участник 1' }))
  await waitFor(() => expect(changes).toHaveLength(1), { timeout: 3000 })
  expect(changes[0]).toMatchObject({ segments: [{ speaker: 's1' }, { start: 5, end: 7, speaker: 's1' }, {}] })
})

test('hits are counted and walked through with the keyboard (S10.793)', async () => {
  const { user } = open()
  const field = screen.getByRole('searchbox', { name: 'Найти в записи' })
  await user.type(field, 'ДЕНЬ')
  expect(screen.getByText('1 из 2')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(screen.getByText('2 из 2')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(screen.getByText('1 из 2')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Предыдущее совпадение' }))
  expect(screen.getByText('2 из 2')).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'велосипед')
  expect(screen.getByText('Нет совпадений')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Следующее совпадение' })).toHaveProperty('disabled', true)
})

test('a recording without speakers has no people above its text (S10.780)', () => {
  const segments = recording.segments?.map((segment) => ({ ...segment, speaker: null })) ?? null
  open({ ...recording, segments, speakers: [] })
  expect(screen.queryByRole('region', { name: 'Участники' })).toBeNull()
  expect(screen.getAllByRole('button', { name: /^Слушать с/ })).toHaveLength(3)
})
