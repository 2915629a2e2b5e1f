import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Scan, scansApi } from '#contract/scans.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { ScanPanel } from './scan-panel.tsx'

const scan: Scan = {
  fileId: 'f1',
  state: 'offered',
  pages: 12,
  read: 0,
  failed: [],
  left: 12,
  pagePrice: 1500,
  price: 18_000,
  refusal: null,
  error: null,
  charged: 0,
}

function open(onEnd?: () => void) {
  openSilentRealtime()
  return render(<ScanPanel fileId="f1" fileName="акт.pdf" {...(onEnd && { onEnd })} />)
}

test('the price is named before, and pressing it agrees to a page (S10.750)', async () => {
  const server = new FakeServer().on(scansApi.get, scan).on(scansApi.start, { ...scan, state: 'working', read: 5 })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: /^Прочитать: до 18\s000\sсимволов, акт.pdf$/ }))
  expect((await screen.findByRole('status')).textContent).toBe('Прочитано 5 из 12')
  expect(screen.getByRole('progressbar', { name: 'Чтение: акт.pdf' }).getAttribute('aria-valuenow')).toBe('5')
  expect(server.calls(scansApi.start)).toMatchObject([{ body: { pagePrice: 1500 } }])
})

test('a page that failed too often is not tried again (S10.1088)', async () => {
  const failed = [{ number: 3, error: 'Больше эта страница не читается.' }]
  new FakeServer().on(scansApi.get, { ...scan, state: 'stopped', read: 11, failed, left: 0, price: 0 })
  open()
  expect(await screen.findByText('Стр. 3: Больше эта страница не читается.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('failed pages say why and are tried again for their price (S10.755)', async () => {
  const failed = [3, 7].map((number) => ({ number, error: 'Модель отказалась читать эту страницу.' }))
  new FakeServer().on(scansApi.get, { ...scan, state: 'stopped', read: 10, failed, price: 3000 })
  open()
  expect(await screen.findByText('Стр. 3, 7: Модель отказалась читать эту страницу.')).toBeTruthy()
  expect(screen.getByText('Прочитано 10 из 12')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Повторить: до 3\s000\sсимволов/ })).toBeTruthy()
})

test('a reading without symbols says so and goes on (S10.756)', async () => {
  const error = 'Закончились символы: страница стоит 1 500. Пополните баланс и продолжите.'
  new FakeServer().on(scansApi.get, { ...scan, state: 'stopped', read: 5, price: 10_500, error })
  open()
  expect(await screen.findByText(error)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Продолжить: до 10\s500\sсимволов/ })).toBeTruthy()
})

test('a file that no model may read says why, without a button (S10.758)', async () => {
  new FakeServer().on(scansApi.get, { ...scan, pagePrice: null, price: null, refusal: 'Модели там нет.' })
  open()
  expect(await screen.findByText('Модели там нет.')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('stopping shows what has been read, and the end is told once (S10.761)', async () => {
  const onEnd = vi.fn()
  new FakeServer()
    .on(scansApi.get, { ...scan, state: 'working', read: 2 })
    .on(scansApi.stop, { ...scan, state: 'stopped', read: 2, price: 15_000 })
  const { user } = open(onEnd)
  await user.click(await screen.findByRole('button', { name: 'Остановить чтение: акт.pdf' }))
  expect(await screen.findByText('Прочитано 2 из 12')).toBeTruthy()
  expect(onEnd).toHaveBeenCalledTimes(1)
})
