import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionUser } from '#contract/page.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { render } from '#web/testing/render.tsx'
import { queryClient } from '../query-client.ts'
import { storePage } from './store-page.ts'

const anna: SessionUser = {
  ...{ id: 'anna', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false },
}
const put = vi.fn()
const remove = vi.fn(async () => true)
const register = vi.fn(async () => ({}))

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubEnv('DEV', false)
  vi.stubGlobal('caches', { open: async () => ({ put }), delete: remove })
  vi.stubGlobal('navigator', { serviceWorker: { register } })
  render(null)
  queryClient.setQueryData(sessionQuery.queryKey, anna)
})

// Later test files of this process use the same client.
afterEach(() => {
  queryClient.clear()
  vi.unstubAllEnvs()
})

test('the page remembers the person’s id and tells the worker nothing personal (S10.441)', async () => {
  await storePage(anna)
  expect(register).toHaveBeenCalledWith('/worker.js')
  expect(localStorage.getItem('person')).toBe('anna')
  const [address, response] = put.mock.calls[0] as [string, Response]
  expect(address).toBe('/')
  expect(await response.json()).toEqual({ build: expect.any(String), isAdmin: false })
})

test('a person who signs out during registration is not remembered (S10.441)', async () => {
  register.mockImplementationOnce(async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null)
    return {}
  })
  await storePage(anna)
  expect(localStorage.getItem('person')).toBeNull()
  expect(put).not.toHaveBeenCalled()
})

test('an impersonating administrator leaves nothing stored (S10.441)', async () => {
  localStorage.setItem('person', 'boss')
  await storePage({ ...anna, impersonated: true })
  expect(localStorage.getItem('person')).toBeNull()
  expect(remove).toHaveBeenCalledWith('seen')
  expect(register).not.toHaveBeenCalled()
})

test('a browser without workers shows no error (S10.441)', async () => {
  register.mockRejectedValueOnce(new DOMException('refused', 'SecurityError'))
  await storePage(anna)
  vi.stubGlobal('navigator', {})
  await storePage(anna)
  expect(localStorage.getItem('person')).toBeNull()
})
