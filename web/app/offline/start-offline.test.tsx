import { onlineManager } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { pageApi } from '#contract/page.ts'
import { draftKey, drafts } from '#web/features/chat/state/drafts.ts'
import { pageUser } from '#web/lib/page-state.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aPage } from '#web/testing/samples.ts'
import { OfflineBanner } from '../offline-banner.tsx'
import { queryClient } from '../query-client.ts'
import { rememberPerson } from './person.ts'
import { startOffline } from './start-offline.ts'

// Restores the library's own listener for later test files of this process.
afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
  onlineManager.setEventListener((setOnline) => {
    const [online, offline] = [() => setOnline(true), () => setOnline(false)]
    addEventListener('online', online)
    addEventListener('offline', offline)
    return () => {
      removeEventListener('online', online)
      removeEventListener('offline', offline)
    }
  })
})

function open(userId: string) {
  const drawn = render(<OfflineBanner />, { client: queryClient, userId })
  rememberPerson({ id: userId })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  startOffline()
  return drawn
}

test('an offline page belongs to the last person and asks the server (S10.444)', async () => {
  const userId = newUserId()
  let isThere = false
  const server = new FakeServer().on(pageApi.state, () => {
    if (!isThere) throw new TypeError('Failed to fetch')
    return aPage(userId)
  })
  drafts().write(draftKey(userId, null), { text: 'Чай', files: [] })
  open(userId)
  expect(pageUser()).toMatchObject({ id: userId, name: '', email: '', role: 'user' })
  expect(await screen.findByText(/Нет интернета/)).toBeTruthy()
  await vi.advanceTimersByTimeAsync(5000)
  expect(server.calls(pageApi.state).length).toBeGreaterThan(1)
  expect(onlineManager.isOnline()).toBe(false)
  isThere = true
  dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(onlineManager.isOnline()).toBe(true))
  await vi.waitFor(() => expect(screen.queryByText(/Нет интернета/)).toBeNull())
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toMatchObject({
    id: userId,
    email: aPage(userId).user?.email,
  })
  expect(drafts().read(draftKey(userId, null)).text).toBe('Чай')
})

test('an ended session removes the person from the page (S10.441)', async () => {
  const userId = newUserId()
  new FakeServer().on(pageApi.state, { ...aPage(userId), user: null })
  open(userId)
  queryClient.setQueryData(['profile'], { name: 'Анна' })
  queryClient.setQueryData(sessionQuery.queryKey, pageUser())
  dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(onlineManager.isOnline()).toBe(true))
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull()
  expect(queryClient.getQueryData(['profile'])).toBeUndefined()
  expect(localStorage.getItem('person')).toBeNull()
})
