import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { statisticsApi } from '#contract/statistics.ts'
import { type Status, type StatusPart, statusApi, statusParts } from '#contract/status.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { StatusBoard } from './status-board.tsx'

const partOf = (name: StatusPart['name'], more: Partial<StatusPart> = {}): StatusPart => ({
  ...{ name, state: 'ok', since: null, count: null, at: null, names: [], lack: null },
  ...more,
})
const instance = (more: Partial<Status['instances'][number]> = {}) => ({
  ...{ id: 'a', name: 'one:3000', build: 'b1', outages: [] },
  ...{ startedAt: '2026-11-16T07:00:00.000Z', seenAt: '2026-11-16T08:00:00.000Z' },
  ...more,
})
const statusWith = (parts: StatusPart[], more: Partial<Status> = {}): Status => ({
  at: '2026-11-16T08:00:00.000Z',
  parts: statusParts.map((name) => parts.find((part) => part.name === name) ?? partOf(name)),
  warnings: [],
  instances: [instance()],
  retiring: [],
  ...more,
})

test('models that will be switched off show day and successor (S10.361)', async () => {
  const retiring = [
    { id: 'mini', name: 'Мини', retiresOn: '2027-01-14', successor: 'Луна' },
    { id: 'old', name: 'Старая', retiresOn: '2027-01-20', successor: null },
  ]
  const parts = [partOf('models', { state: 'degraded', names: ['Старая'] })]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith(parts, { retiring }))
  render(<StatusBoard />)
  expect(await screen.findByText(/^14 января 2027.*потом отвечает «Луна»$/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Старая' }).getAttribute('href')).toBe('/admin/models/old')
  expect(screen.getByText('Без замены')).toBeTruthy()
  expect(screen.getAllByText('Скоро отключат, а замены нет: Старая')).toHaveLength(2)
})

test('the page says that everything works and lists all parts (S10.277)', async () => {
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith([partOf('redis', { state: 'off' })]))
  render(<StatusBoard />)
  expect(await screen.findByText('Всё работает')).toBeTruthy()
  expect(screen.getByText('База данных')).toBeTruthy()
  expect(screen.getByText('Не настроено')).toBeTruthy()
  expect(screen.getByText('one:3000')).toBeTruthy()
  expect(screen.queryByText('Что делать')).toBeNull()
})

test('a failed service comes first, with its effect and advice (S10.277)', async () => {
  const since = '2026-11-16T07:30:00.000Z'
  const parts = [
    partOf('mail', { state: 'degraded', count: 12, since }),
    partOf('storage', { state: 'down', since, names: ['two:3000'] }),
  ]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith(parts))
  render(<StatusBoard />)
  expect(await screen.findByText('Не работает: Хранилище файлов. Требует внимания: Почта')).toBeTruthy()
  const [first] = screen.getAllByRole('heading', { level: 3 })
  const card = within(first?.closest('div.border') as HTMLElement)
  expect(card.getByText('Хранилище файлов')).toBeTruthy()
  expect(card.getByText(/это видят: two:3000/)).toBeTruthy()
  for (const name of ['С какого времени', 'Что заметно', 'Что делать']) expect(card.getByText(name)).toBeTruthy()
  expect(screen.getAllByText(/Ждут отправки: 12 писем/)).toHaveLength(2)
})

test('different builds are listed', async () => {
  const parts = [partOf('servers', { state: 'degraded', count: 2, names: ['b1', 'b2'] })]
  const instances = [instance(), instance({ id: 'b', name: 'two:3000', build: 'b2', outages: ['redis'] })]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith(parts, { instances }))
  render(<StatusBoard />)
  expect(await screen.findAllByText('Работают разные сборки: b1, b2')).toHaveLength(2)
  expect(screen.getByText('b2')).toBeTruthy()
})

test('a storage warning gives its own advice', async () => {
  const warnings = [{ name: 'storage', at: '2026-11-16T07:30:00.000Z', message: 'Проверьте S3_BUCKET.' }]
  new FakeServer()
    .on(statusApi.setup, [])
    .on(statusApi.get, statusWith([partOf('storage', { state: 'degraded' })], { warnings }))
  render(<StatusBoard />)
  expect(await screen.findByText('Проверьте S3_BUCKET.')).toBeTruthy()
})

test('missing support contacts are a warning (S10.567)', async () => {
  const message = 'Задайте SUPPORT_URL или SUPPORT_EMAIL.'
  const warnings = [{ name: 'support', at: '2026-11-16T07:30:00.000Z', message }]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith([partOf('database')], { warnings }))
  render(<StatusBoard />)
  expect(await screen.findByText(message)).toBeTruthy()
})

test('a missing program is a warning (S10.765)', async () => {
  const message = 'Установите пакет poppler-utils и перезапустите сервер.'
  const warnings = [{ name: 'pdftoppm', at: '2026-11-16T07:30:00.000Z', message }]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith([partOf('database')], { warnings }))
  render(<StatusBoard />)
  expect(await screen.findByText('Чтение сканов')).toBeTruthy()
  expect(screen.getByText(message)).toBeTruthy()
})

test('an unreadable state says so and can be requested again (S10.277)', async () => {
  const message = 'База данных сейчас не отвечает. Повторите через несколько секунд.'
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, rejection('unavailable', message))
  render(<StatusBoard />)
  expect(await screen.findByText('Состояние сейчас неизвестно')).toBeTruthy()
  expect(screen.getByText(`503: ${message}`)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Повторить' })).toBeTruthy()
  expect(screen.queryByText('Всё работает')).toBeNull()
})

test('what is missing is not green and says what to do (S10.1553)', async () => {
  const lacks = {
    mail: ['mailbox', 'Почта', /Задайте SMTP_URL/],
    payments: ['test-payments', 'Оплата', /ключи настоящего магазина/],
    models: ['only-demo', 'Модели', /Задайте ключ провайдера/],
    ledger: ['never-done', 'Учёт символов', /Сервер сверяет учёт каждую ночь/],
    backups: ['never-done', 'Резервные копии', /запускайте npm run backup/],
  } as const
  for (const [name, [lack, title, action]] of Object.entries(lacks)) {
    const parts = [partOf(name as StatusPart['name'], { state: 'degraded', lack })]
    new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith(parts))
    const { unmount } = render(<StatusBoard />)
    expect(await screen.findByText(`Требует внимания: ${title}`)).toBeTruthy()
    expect(screen.getByText(action)).toBeTruthy()
    unmount()
  }
})

test('advice keeps the state from being green (S10.1553)', async () => {
  const warnings = [{ name: 'support', at: '2026-11-16T07:30:00.000Z', message: 'Задайте SUPPORT_URL.' }]
  new FakeServer().on(statusApi.setup, []).on(statusApi.get, statusWith([], { warnings }))
  render(<StatusBoard />)
  expect(await screen.findByText('Требует внимания: Поддержка')).toBeTruthy()
})

test('the ledger is checked from the state, which shows the result (S10.1553)', async () => {
  const parts = [partOf('ledger', { state: 'degraded', lack: 'never-done' })]
  new FakeServer()
    .on(statusApi.setup, [])
    .on(statusApi.get, statusWith(parts))
    .on(statisticsApi.reconcile, { ok: true, problems: [] })
  const { user } = render(<StatusBoard />)
  await user.click(await screen.findByRole('button', { name: 'Сверить сейчас' }))
  expect(await screen.findByText('Всё работает')).toBeTruthy()
  expect(screen.getByText(/^Сходится, сверен/)).toBeTruthy()
})
