import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { threadsApi } from '#contract/threads.ts'
import { type Transcription, transcriptionsApi } from '#contract/transcriptions.ts'
import { usersApi } from '#contract/users.ts'
import { fakeMicrophone } from '#web/features/transcriptions/testing/fake-microphone.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import HomeScreen from './home.tsx'

const listening = aModel({ id: 'ear', name: 'Слух', kind: 'transcription', minutePrice: 60 })

function transcription(id: string, change: Partial<Transcription> = {}): Transcription {
  const at = '2026-11-16T06:00:00.000Z'
  return {
    id,
    title: 'Диктовка',
    fileName: 'voice.webm',
    mime: 'audio/webm',
    bytes: 5,
    received: 5,
    durationMs: 1000,
    language: null,
    modelId: 'ear',
    status: 'ready',
    progress: 100,
    partsDone: 1,
    partsTotal: 1,
    edited: false,
    charged: 1,
    paid: 0,
    error: null,
    fragment: [],
    createdAt: at,
    updatedAt: at,
    text: 'какая завтра погода',
    segments: null,
    speakers: [],
    ...change,
  }
}

function open({ balance = 1000, models = [aModel(), listening] } = {}) {
  const userId = newUserId()
  const server = new FakeServer()
    .on(usersApi.me, aProfile({ availableTokens: balance }, { id: userId }))
    .on(modelsApi.list, models)
    .on(modelsApi.usualCosts, [])
    .on(threadsApi.list, [])
    .on(transcriptionsApi.begin, ({ body }) => ({ id: body.id ?? '', received: 0, bytes: 5, chunkBytes: 100 }))
    .on(transcriptionsApi.put, ({ params }) => ({ id: params.id, received: 5, bytes: 5, chunkBytes: 100 }))
    .on(transcriptionsApi.finish, ({ params }) => transcription(params.id, { status: 'queued', text: '' }))
    .on(transcriptionsApi.get, ({ params }) => transcription(params.id))
  openSilentRealtime()
  return { server, ...render(<HomeScreen />, { userId }) }
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Сообщение' })
const button = () => screen.findByRole('button', { name: /^Надиктовать/ })
const stop = () => screen.findByRole('button', { name: 'Остановить' })

test('spoken words come to the caret, after the price is shown (S10.210)', async () => {
  const microphone = fakeMicrophone()
  const { user, server } = open()
  await user.type(field(), 'Скажи, в Минске?')
  field().setSelectionRange(6, 6)
  const dictate = await button()
  expect(dictate.title).toBe('Надиктовать: 60\u00a0символов за минуту')
  await user.click(dictate)
  const end = await stop()
  expect(screen.getByRole('timer', { name: 'Длина записи' })).toBeTruthy()
  expect(screen.getByText(/^Расшифровка: 1 символ, останется 999/)).toBeTruthy()
  expect(microphone.isOn()).toBe(true)
  await user.click(end)
  await waitFor(() => expect(field().value).toBe('Скажи, какая завтра погода в Минске?'))
  expect(microphone.isOn()).toBe(false)
  expect(server.calls(transcriptionsApi.begin)[0]?.body).toMatchObject({
    modelId: 'ear',
    title: expect.stringMatching(/^Диктовка /),
  })
  expect(screen.queryByRole('button', { name: 'Остановить' })).toBeNull()
})

test('there is no microphone without a listening model (S10.210)', async () => {
  open({ models: [aModel()] })
  await screen.findByRole('button', { name: 'Модель: Умная' })
  expect(screen.queryByRole('button', { name: /^Надиктовать/ })).toBeNull()
})

test('a refused microphone gives advice, and the draft stays (S10.210)', async () => {
  fakeMicrophone('NotAllowedError')
  const { user } = open()
  await user.type(field(), 'Черновик')
  await user.click(await button())
  expect(await screen.findByText(/Разрешите микрофон для этого сайта/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Закрыть' }))
  expect(field().value).toBe('Черновик')
  expect(document.activeElement).toBe(field())
})

test('a recording that was not received is sent again or downloaded (S10.210)', async () => {
  fakeMicrophone()
  const { user, server } = open()
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  server.on(transcriptionsApi.begin, rejection('bad_request', 'Сегодня нельзя'))
  await user.click(await button())
  await user.click(await stop())
  expect(await screen.findByText(/Сегодня нельзя/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Скачать запись' }))
  expect(saved).toHaveBeenCalledTimes(1)
  server.on(transcriptionsApi.begin, ({ body }) => ({ id: body.id ?? '', received: 0, bytes: 5, chunkBytes: 100 }))
  await user.click(screen.getByRole('button', { name: 'Попробовать снова · 1' }))
  await waitFor(() => expect(field().value).toBe('какая завтра погода'))
})

test('a dictation dearer than named asks before it is transcribed (S10.1600)', async () => {
  fakeMicrophone()
  const { user, server } = open()
  const question = 'Запись идёт 10:00: расшифровка стоит 600 символов, а было названо 1. Ничего не списано.'
  server
    .on(transcriptionsApi.finish, rejection('conflict', question, 'most'))
    .on(transcriptionsApi.get, ({ params }) => transcription(params.id, { status: 'uploading', durationMs: 600_000 }))
  await user.click(await button())
  await user.click(await stop())
  expect(await screen.findByText('Цена выше названной')).toBeTruthy()
  expect(screen.getByText(new RegExp(question))).toBeTruthy()
  server
    .on(transcriptionsApi.finish, ({ params }) => transcription(params.id, { status: 'queued', text: '' }))
    .on(transcriptionsApi.get, ({ params }) => transcription(params.id))
  await user.click(screen.getByRole('button', { name: 'Расшифровать · 600' }))
  await waitFor(() => expect(field().value).toBe('какая завтра погода'))
  expect(server.calls(transcriptionsApi.finish).map(({ body }) => body.most)).toEqual([1, 600])
})

test('a failed transcription shows its cost and is repeated (S10.210)', async () => {
  fakeMicrophone()
  const { user, server } = open()
  const error = { code: 'model_failed', message: 'Модель не отвечает.' }
  server.on(transcriptionsApi.get, ({ params }) =>
    transcription(params.id, { status: 'failed', text: '', charged: 0, error }),
  )
  server.on(transcriptionsApi.retry, ({ params }) => transcription(params.id))
  await user.click(await button())
  await user.click(await stop())
  expect(await screen.findByText(/Модель не отвечает. Символы не списаны/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Повторить · 1' }))
  await waitFor(() => expect(field().value).toBe('какая завтра погода'))
})

test('an unaffordable recording is kept and not sent (S10.210)', async () => {
  fakeMicrophone()
  const { user, server } = open({ balance: 0 })
  await user.click(await button())
  await user.click(await stop())
  expect(await screen.findByText('Не хватает символов на расшифровку')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Пополнить' })).toBeTruthy()
  expect(server.calls(transcriptionsApi.begin)).toEqual([])
})

test('a cancelled dictation leaves nothing', async () => {
  const microphone = fakeMicrophone()
  const { user, server } = open()
  await user.click(await button())
  await stop()
  await user.click(screen.getByRole('button', { name: 'Отменить диктовку' }))
  await waitFor(() => expect(microphone.isOn()).toBe(false))
  expect(server.calls(transcriptionsApi.begin)).toEqual([])
  expect(field().value).toBe('')
})
