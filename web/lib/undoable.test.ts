import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Notice, notify } from './notify.ts'
import { undoable } from './undoable.ts'

const page = new EventTarget()
let shown: Notice | undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.spyOn(notify, 'info').mockImplementation((notice) => {
    shown = notice
  })
  vi.spyOn(notify, 'error').mockReturnValue()
  vi.spyOn(notify, 'close').mockReturnValue(undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const later = (id: string, action: () => Promise<unknown>) =>
  undoable({ id, title: 'Удалено', action, failed: 'Не вышло' })

test('an action runs once, after a moment', async () => {
  const action = vi.fn(async () => {})
  later('a', action)
  expect(action).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(9000)
  shown?.onClose?.()
  page.dispatchEvent(new Event('pagehide'))
  expect(action).toHaveBeenCalledOnce()
})

test('an undone action never runs', async () => {
  const action = vi.fn(async () => {})
  later('b', action)
  shown?.action?.onClick()
  shown?.onClose?.()
  await vi.advanceTimersByTimeAsync(9000)
  expect(action).not.toHaveBeenCalled()
})

test('leaving the page runs the action at once', () => {
  const action = vi.fn(async () => {})
  later('c', action)
  page.dispatchEvent(new Event('pagehide'))
  expect(action).toHaveBeenCalledOnce()
})

test('finishing early runs the action once, and waits for it', async () => {
  let end = () => {}
  const action = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  const finish = undoable({ id: 'e', title: 'Удалено', action, failed: 'Не вышло' })
  const results = [finish(), finish()]
  expect(action).toHaveBeenCalledOnce()
  end()
  await Promise.all(results)
  await vi.advanceTimersByTimeAsync(9000)
  expect(action).toHaveBeenCalledOnce()
})

test('finishing after an undo does nothing', async () => {
  const action = vi.fn(async () => {})
  const finish = undoable({ id: 'f', title: 'Удалено', action, failed: 'Не вышло' })
  shown?.action?.onClick()
  await finish()
  expect(action).not.toHaveBeenCalled()
})

test('an action requested twice runs once, and its error is shown', async () => {
  const action = vi.fn(() => Promise.reject(new Error('Нет связи')))
  later('d', action)
  later('d', action)
  await vi.advanceTimersByTimeAsync(9000)
  expect(action).toHaveBeenCalledOnce()
  expect(notify.error).toHaveBeenCalledWith({ title: 'Не вышло', description: 'Нет связи' })
})
