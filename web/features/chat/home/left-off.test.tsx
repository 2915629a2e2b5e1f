import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { projectsApi } from '#contract/projects.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { threadOn } from '#web/features/threads/testing/threads.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { draftKey, drafts } from '../state/drafts.ts'
import { LeftOff } from './left-off.tsx'

const at = '2026-10-01T09:00:00.000Z'
const aProject = (id: string, archived = false) => ({
  ...{ id, name: id, icon: 'blue' as const, archived, chats: 1, createdAt: at, updatedAt: at },
})

test('home offers unsent words first, then the latest chats (S10.1532)', async () => {
  const userId = newUserId()
  drafts().append(draftKey(userId, 'day-1'), { text: 'Ещё вопрос', files: [] })
  new FakeServer()
    .on(usersApi.me, aProfile())
    .on(threadsApi.list, [threadOn(9), threadOn(8), threadOn(7), threadOn(1)])
    .on(projectsApi.list, [])
  render(<LeftOff />, { userId })
  const chats = within(await screen.findByRole('navigation', { name: 'Продолжить' }))
  await chats.findByRole('link', { name: /day-1/ })
  const links = chats.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['day-1', 'day-9', 'day-8'].map((id) => `/threads/${id}`),
  )
  expect(links[0]?.textContent).toContain('не отправлено')
})

test('home offers open projects, and asks only where there are some (S10.1532)', async () => {
  const server = new FakeServer()
    .on(usersApi.me, { ...aProfile(), hasProjects: true })
    .on(threadsApi.list, [threadOn(9)])
    .on(projectsApi.list, [aProject('home'), aProject('old', true)])
  const { unmount } = render(<LeftOff />, { userId: newUserId() })
  expect((await screen.findByRole('link', { name: 'home' })).getAttribute('href')).toBe('/projects/home')
  expect(screen.queryByText('old')).toBeNull()
  unmount()
  server.on(usersApi.me, { ...aProfile(), hasProjects: false })
  const before = server.calls(projectsApi.list).length
  render(<LeftOff />, { userId: newUserId() })
  await screen.findByRole('link', { name: /day-9/ })
  expect(server.calls(projectsApi.list)).toHaveLength(before)
})
