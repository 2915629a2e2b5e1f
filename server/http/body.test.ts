import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { AppError } from '#server/lib/errors.ts'
import { withBody } from './body.ts'
import { createBodyBudget } from './body-budget.ts'
import type { Env } from './route.ts'

const app = new Hono<Env>()
app.onError((error, c) => c.text(error.message, error instanceof AppError ? (error.status as 400) : 500))
app.post('/', (c) =>
  withBody(c, { mostBytes: 100, caller: 'anna', times: { wholeMs: 100, silentMs: 30 } }, (bytes) =>
    c.text(String(bytes.length)),
  ),
)
const send = (body: ReadableStream | string, headers = {}) =>
  app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
const streamOf = (bytes: number, everyMs = 0) =>
  new ReadableStream({
    async pull(controller) {
      await sleep(everyMs)
      controller.enqueue(new Uint8Array(bytes))
    },
  })

test('a body that comes too slowly is cut (S10.968)', async () => {
  const silent = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) })
  expect((await send(silent)).status).toBe(408)
  expect((await send(streamOf(1, 10))).status).toBe(408)
})

test('a body is not read beyond its limit (S10.1301)', async () => {
  expect(await (await send('я'.repeat(50))).text()).toBe('100')
  expect((await send('я'.repeat(51))).status).toBe(413)
  expect((await send('a', { 'content-length': '101' })).status).toBe(413)
  expect((await send(streamOf(60))).status).toBe(413)
})

test('bodies in memory have a budget for the process and each caller (S10.1302)', () => {
  const budget = createBodyBudget({ processBytes: 100, callerBytes: 60 })
  const one = budget.open('anna')
  one.add(60)
  expect(() => budget.open('anna').add(1)).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  const other = budget.open('boris')
  other.add(40)
  expect(() => other.add(1)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 10 }))
  one.release()
  other.add(20)
  other.release()
  budget.open('anna').add(60)
})

test('short bodies pass while long ones fill the budget (S10.1302)', async () => {
  const most = 30 * 1024 * 1024
  const long = (caller: string) => {
    const sent = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(most - 1)) })
    const request = new Request('http://a/', { method: 'POST', body: sent, duplex: 'half' } as RequestInit)
    return withBody(
      { req: { raw: request, header: () => undefined } as never },
      { mostBytes: most, caller },
      () => 'read',
    )
  }
  const open = ['a', 'b', 'c'].map((caller) => long(caller).catch(() => 'late'))
  await sleep(50)
  await expect(long('d')).rejects.toMatchObject({ code: 'unavailable' })
  expect((await send('короткий')).status).toBe(200)
  void open
})
