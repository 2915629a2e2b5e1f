import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { actLater } from './act-later.ts'
import { type Notice, notify } from './notify.ts'

vi.mock('./notify.ts', () => ({ notify: { info: vi.fn(), error: vi.fn(), close: vi.fn() } }))

const page = new EventTarget()
let shown: Notice | undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.mocked(notify.info).mockImplementation((notice) => {
    shown = notice
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

const later = (id: string, act: () => Promise<unknown>) => actLater({ id, title: 'Удалено', act, failed: 'Не вышло' })

test('it happens after a moment, once', async () => {
  const act = vi.fn(async () => {})
  later('a', act)
  expect(act).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(9000)
  shown?.onClose?.()
  page.dispatchEvent(new Event('pagehide'))
  expect(act).toHaveBeenCalledOnce()
})

test('called off, it never happens', async () => {
  const act = vi.fn(async () => {})
  later('b', act)
  shown?.action?.onClick()
  shown?.onClose?.()
  await vi.advanceTimersByTimeAsync(9000)
  expect(act).not.toHaveBeenCalled()
})

test('whoever leaves the page has made up his mind', () => {
  const act = vi.fn(async () => {})
  later('c', act)
  page.dispatchEvent(new Event('pagehide'))
  expect(act).toHaveBeenCalledOnce()
})

test('asked twice it is one act, and a refusal is told', async () => {
  const act = vi.fn(() => Promise.reject(new Error('Нет связи')))
  later('d', act)
  later('d', act)
  await vi.advanceTimersByTimeAsync(9000)
  expect(act).toHaveBeenCalledOnce()
  expect(notify.error).toHaveBeenCalledWith({ title: 'Не вышло', description: 'Нет связи' })
})
