import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { noteWork, watchEventLoop } from './event-loop.ts'

const warn = vi.fn()
let watched = { close: () => {} }
afterEach(() => {
  watched.close()
  warn.mockClear()
})

function block(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('a pause is logged with the work of its time (S10.1306)', async () => {
  watched = watchEventLoop({ warn } as never, 100)
  const endOld = noteWork('GET /stream', 'old')
  await sleep(120)
  const end = noteWork('POST /heavy', 'heavy')
  block(250)
  end()
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce())
  const [facts] = warn.mock.calls[0] as [{ ms: number; work: object[] }]
  expect(facts.ms).toBeGreaterThan(100)
  expect(facts.work).toMatchObject([
    { name: 'POST /heavy', requestId: 'heavy' },
    { name: 'GET /stream', requestId: 'old' },
  ])
  endOld()
})

test('work without a pause is not logged (S10.1306)', async () => {
  watched = watchEventLoop({ warn } as never, 2000)
  noteWork('a job')()
  await sleep(200)
  expect(warn).not.toHaveBeenCalled()
})
