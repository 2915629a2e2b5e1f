import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Minutes, type MinutesDocument, minutesApi } from '#contract/minutes.ts'
import { modelsApi } from '#contract/models.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { MinutesPanel } from './minutes-panel.tsx'

const offers: Minutes['offers'] = [
  { kind: 'minutes', steps: 3, usual: 12_000, most: 30_000 },
  { kind: 'letter', steps: 4, usual: 14_000, most: 38_000 },
  { kind: 'tasks', steps: 0, usual: 0, most: 0 },
]
const ready: MinutesDocument = {
  ...{ kind: 'minutes', status: 'ready', text: '## Решения\n\n1. Снять склад [12:05]', edited: false, version: 1 },
  ...{ outdated: false, modelId: 'm1', charged: 11_500, stepsDone: 3, stepsTotal: 3, error: null },
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const data = (...documents: MinutesDocument[]): Minutes => ({ documents, offers, modelId: 'm1' })

let publish: ReturnType<typeof openSilentRealtime>
beforeEach(() => {
  localStorage.clear()
  publish = openSilentRealtime()
})

function show(first: Minutes) {
  const server = new FakeServer()
    .on(minutesApi.read, first)
    .on(modelsApi.list, [aModel(), aModel({ id: 'm2', name: 'Другая', position: 1 })])
    .on(usersApi.me, aProfile({ availableTokens: 1_000_000, capacity: 1_000_000 }))
  const onPlay = vi.fn()
  const savePending = vi.fn(async () => {})
  const props = { id: 't1', href: '/transcribe?id=t1', title: 'Планёрка', lastSecond: 3600, onPlay, savePending }
  const { user } = render(<MinutesPanel {...props} />)
  return { server, user, onPlay, savePending }
}

test('the button names model and price, and saves corrections first (S10.804)', async () => {
  const { server, user, savePending } = show(data())
  expect(await screen.findByText(/Пишет Умная:/)).toBeTruthy()
  expect(screen.getByText(/около 12\s000\sсимволов, до 30\s000\sсимволов/)).toBeTruthy()
  const working = { ...ready, status: 'working' as const, text: '', charged: 0, stepsDone: 1 }
  server.on(minutesApi.make, working).on(minutesApi.read, data(working))
  await user.click(screen.getByRole('button', { name: 'Протокол встречи' }))
  expect(await screen.findByText('Пишется: готово 1 из 3 частей')).toBeTruthy()
  expect(savePending).toHaveBeenCalledOnce()
  expect(server.calls(minutesApi.make)[0]).toMatchObject({
    params: { id: 't1', kind: 'minutes' },
    body: { modelId: 'm1', most: 30_000 },
  })
  server.on(minutesApi.read, data(ready))
  publish({ topic: 'transcriptions', type: 'minutes', data: { id: 't1' } })
  expect(await screen.findByText('Снять склад', { exact: false })).toBeTruthy()
})

test('the menu has the other documents with prices and the models (S10.804)', async () => {
  const { server, user } = show(data(ready))
  await user.click(await screen.findByRole('button', { name: 'Другие документы и модель' }))
  expect(screen.getByRole('menuitem', { name: /Список задач.*бесплатно/ })).toBeTruthy()
  expect(screen.getByRole('menuitem', { name: /Письмо участникам.*около 14\s000/ })).toBeTruthy()
  await user.click(screen.getByRole('menuitemradio', { name: 'Другая' }))
  await waitFor(() => expect(server.calls(minutesApi.read).at(-1)?.query).toEqual({ modelId: 'm2' }))
})

test('after a lost connection the documents are read again (S10.813)', async () => {
  const { server } = show(data({ ...ready, status: 'working', text: '' }))
  expect(await screen.findByText('Пишется: готово 3 из 3 частей')).toBeTruthy()
  server.on(minutesApi.read, data(ready))
  publish({ topic: 'transcriptions', type: 'changed', data: { id: 'other' } })
  publish({ topic: 'transcriptions', type: 'resumed', data: null })
  expect(await screen.findByText('Снять склад', { exact: false })).toBeTruthy()
  expect(server.calls(minutesApi.read)).toHaveLength(2)
})

test('a time plays the recording (S10.813)', async () => {
  const { user, onPlay } = show(data(ready))
  await user.click(await screen.findByRole('link', { name: '12:05' }))
  expect(onPlay).toHaveBeenCalledWith(725)
})

test('a failure says what it cost and is continued for the rest (S10.805)', async () => {
  const failed: MinutesDocument = {
    ...{ ...ready, status: 'failed', text: '', charged: 4000, stepsDone: 1 },
    error: { code: 'model_failed', message: 'Модель не отвечает.' },
  }
  const { server, user } = show(data(failed))
  expect(await screen.findByText(/Модель не отвечает. Списано 4\s000\sсимволов за готовые части/)).toBeTruthy()
  server.on(minutesApi.make, { ...failed, status: 'queued', error: null })
  await user.click(screen.getByRole('button', { name: /Продолжить · ≈ 12\s000/ }))
  await waitFor(() => expect(server.calls(minutesApi.make)).toHaveLength(1))
})

test('edits stay in the browser until saved, and no window loses (S10.810, S10.813)', async () => {
  localStorage.setItem('minutes-draft:anna:t1:minutes', JSON.stringify({ text: 'Мои правки', version: 1 }))
  const { server, user } = show(data({ ...ready, version: 2 }))
  const field = await screen.findByRole('textbox', { name: 'Протокол встречи' })
  expect((field as HTMLTextAreaElement).value).toBe('Мои правки')
  await user.type(field, '!')
  server.on(minutesApi.edit, rejection('conflict', 'Текст изменился в другом окне.', 'version'))
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  expect(await screen.findByText('Ваши правки не пропали: решите, какой текст оставить.')).toBeTruthy()
  const saved = { ...ready, text: 'Мои правки!', edited: true, version: 3 }
  server.on(minutesApi.edit, saved).on(minutesApi.read, data(saved))
  await user.click(screen.getByRole('button', { name: 'Сохранить мой' }))
  expect(await screen.findByRole('button', { name: 'Править' })).toBeTruthy()
  expect(server.calls(minutesApi.edit).map(({ body }) => body)).toEqual([
    { text: 'Мои правки!', version: 1 },
    { text: 'Мои правки!', version: 2 },
  ])
  expect(localStorage.getItem('minutes-draft:anna:t1:minutes')).toBeNull()
})

test('an edited text is replaced only after a question (S10.810)', async () => {
  const { server, user } = show(data({ ...ready, edited: true }))
  await user.click(await screen.findByRole('button', { name: /Сделать заново/ }))
  const dialog = await screen.findByRole('dialog', { name: /Вы правили этот текст/ })
  server.on(minutesApi.make, { ...ready, status: 'queued' })
  await user.click(within(dialog).getByRole('button', { name: 'Заменить' }))
  await waitFor(() => expect(server.calls(minutesApi.make)[0]?.body).toMatchObject({ overwrite: true }))
})

test('a server without the feature shows nothing', async () => {
  new FakeServer().on(minutesApi.read, rejection('not_found', 'Нет')).on(modelsApi.list, []).on(usersApi.me, aProfile())
  const props = { id: 't1', href: '/transcribe?id=t1', title: '', lastSecond: 1 }
  render(
    <fieldset aria-label="Место">
      <MinutesPanel {...props} onPlay={() => {}} savePending={async () => {}} />
    </fieldset>,
  )
  const place = screen.getByRole('group', { name: 'Место' })
  expect(place.childElementCount).toBe(1)
  await waitFor(() => expect(place.childElementCount).toBe(0))
})
