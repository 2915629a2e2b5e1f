import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionUser } from '#contract/page.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { render } from '#web/testing/render.tsx'
import { queryClient } from '../query-client.ts'
import { storePage } from './store-page.ts'

const anna: SessionUser = {
  ...{ id: 'anna', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false },
}
const unregister = vi.fn(async () => true)
const register = vi.fn(async () => ({ unregister }))
const getRegistration = async () => ({ unregister })

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubEnv('DEV', false)
  vi.stubGlobal('navigator', { serviceWorker: { register, getRegistration } })
  render(null)
  queryClient.setQueryData(sessionQuery.queryKey, anna)
})

// Later test files of this process use the same client.
afterEach(() => {
  queryClient.clear()
  vi.unstubAllEnvs()
})

test('with the worker the id of the user is stored, for drafts (S10.441)', async () => {
  await storePage(anna)
  expect(register).toHaveBeenCalledWith('/worker.js')
  expect(localStorage.getItem('person')).toBe('anna')
})

test('a user who signs out while the worker is fetched is not remembered (S10.441)', async () => {
  register.mockImplementationOnce(async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null)
    return { unregister }
  })
  await storePage(anna)
  expect(localStorage.getItem('person')).toBeNull()
  expect(unregister).toHaveBeenCalled()
})

test('an impersonated session stores nothing and removes what was stored (S10.441)', async () => {
  localStorage.setItem('person', 'boss')
  await storePage({ ...anna, impersonated: true })
  expect(localStorage.getItem('person')).toBeNull()
  expect(unregister).toHaveBeenCalled()
  expect(register).not.toHaveBeenCalled()
})

test('a browser that refuses, or knows no workers, shows nothing of it (S10.441)', async () => {
  register.mockRejectedValueOnce(new DOMException('refused', 'SecurityError'))
  await storePage(anna)
  vi.stubGlobal('navigator', {})
  await storePage(anna)
  expect(localStorage.getItem('person')).toBeNull()
})
