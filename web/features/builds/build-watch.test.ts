import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdReload } from '#web/lib/hold-reload.ts'
import { watchBuilds } from './build-watch.ts'

const page = new EventTarget()
const latest = vi.fn(() => Promise.resolve('b1'))
const onUpdate = vi.fn()
let stop: () => void

function watch() {
  const watching = watchBuilds({ ownId: 'b1', latest, onUpdate })
  stop = watching.stop
  return watching
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

test('the current build is not announced', () => {
  watch().announce('b1')
  expect(onUpdate).not.toHaveBeenCalled()
})

test('a different build is announced once (S4.10)', () => {
  const { announce } = watch()
  announce('b2')
  announce('b2')
  expect(onUpdate).toHaveBeenCalledOnce()
  announce('b3')
  expect(onUpdate).toHaveBeenCalledTimes(2)
})

test('the page asks every five minutes (S4.10)', async () => {
  watch()
  latest.mockResolvedValueOnce('b2')
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(onUpdate).toHaveBeenCalledOnce()
})

test('returning after a while asks at once, a short look does not', async () => {
  watch()
  page.dispatchEvent(new Event('focus'))
  expect(latest).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + 61_000)
  page.dispatchEvent(new Event('focus'))
  expect(latest).toHaveBeenCalledOnce()
})

test('a failed request announces nothing', async () => {
  watch()
  latest.mockRejectedValueOnce(new Error('offline'))
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  expect(onUpdate).not.toHaveBeenCalled()
})

test('the notice waits while something is unsaved', () => {
  const release = holdReload('ответ ещё идёт')
  watch().announce('b2')
  expect(onUpdate).not.toHaveBeenCalled()
  release()
  expect(onUpdate).toHaveBeenCalledOnce()
})
