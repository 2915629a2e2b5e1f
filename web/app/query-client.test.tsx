import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { pageApi } from '#contract/page.ts'
import { notify } from '#web/lib/notify.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { describeError } from './describe-error.ts'
import { createQueryClient } from './query-client.ts'

const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const
const signedOut = {
  config: {
    appName: 'Символ',
    buildId: 'b1',
    socialProviders: [],
    supportUrl: null,
    mailboxUrl: null,
    openHelp: [],
    analytics: { url: null, yandexMetrikaId: null },
  },
  user: null,
}
const fetched = vi.fn(() => Promise.resolve(Response.json(signedOut)))

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.spyOn(notify, 'error').mockReturnValue()
})
afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockClear()
  vi.restoreAllMocks()
})

const failing = (status: number, meta?: { silent: boolean }, code = 'x') => ({
  queryKey: ['anything'],
  queryFn: () => Promise.reject(new ApiError({ status, code, message: 'Не вышло' })),
  meta,
})

test('a failed call is shown as «status: message» (S8.1)', async () => {
  await expect(createQueryClient().fetchQuery(failing(404))).rejects.toThrow()
  expect(notify.error).toHaveBeenCalledWith({ id: '404: Не вышло', title: '404: Не вышло' })
})

test('any other failure is an unknown error (S8.2)', () => {
  expect(describeError(new TypeError('x is undefined'))).toBe('Unknown error')
  expect(describeError(new ApiError({ status: 500, code: 'unknown', message: 'Unknown error' }))).toBe(
    '500: Unknown error',
  )
})

test('a query can hide its failure (S8.11)', async () => {
  await expect(createQueryClient().fetchQuery(failing(404, { silent: true }))).rejects.toThrow()
  expect(notify.error).not.toHaveBeenCalled()
})

test('a lost session is checked again, and the person’s data is removed', async () => {
  const client = createQueryClient()
  client.setQueryData(sessionQuery.queryKey, anna)
  client.setQueryData(['profile'], { name: 'Анна' })
  await expect(client.fetchQuery(failing(401, undefined, 'unauthorized'))).rejects.toThrow()

  await vi.waitFor(() => expect(client.getQueryData(sessionQuery.queryKey)).toBeNull())
  expect(fetched).toHaveBeenCalledWith(pageApi.state.path, expect.anything())
  expect(client.getQueryData(['profile'])).toBeUndefined()
  expect(notify.error).not.toHaveBeenCalled()
})
