import { screen } from '@testing-library/react'
import { Profiler, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { threadsApi } from '#contract/threads.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { threadQuery } from '#web/features/chat/queries.ts'
import HomeScreen from '#web/features/chat/screens/home.tsx'
import ThreadScreen, { ready } from '#web/features/chat/screens/thread.tsx'
import { aBranch, aThread } from '#web/features/chat/testing/a-message.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aPage, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { Frame } from './frame.tsx'

/** Which renders it took to show a screen with all its data, in a window of a phone. */
async function renders(content: ReactNode) {
  const { user } = aPage('anna')
  if (!user) throw new Error('The sample has no user')
  openSilentRealtime()
  const client = createQueryClient()
  client.setQueryData(profileQuery.queryKey, aProfile())
  client.setQueryData(modelsQuery.queryKey, [aModel()])
  client.setQueryData(threadsQuery('active').queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [null] })
  const thread = { ...aThread(aBranch('q1', 'a1')), title: 'Отпуск' }
  client.setQueryData(threadQuery(client, thread.id).queryKey, thread)
  new FakeServer().on(modelsApi.usualCosts, []).on(threadsApi.get, thread)
  const phases: string[] = []
  render(
    <Profiler id="page" onRender={(_, phase) => phases.push(phase)}>
      <Frame user={user}>{content}</Frame>
    </Profiler>,
    { client },
  )
  expect(await screen.findByRole('textbox', { name: 'Сообщение' })).toBeTruthy()
  return phases
}

// React would run all effects of the page in the task that shows it, and could not paint it before they end.
test('showing an empty chat asks for no second render (S10.1000)', async () => {
  const phases = await renders(<HomeScreen />)
  expect(phases[0]).toBe('mount')
  expect(phases).not.toContain('nested-update')
})

test('showing a chat asks for no second render (S10.1000)', async () => {
  await ready()
  const phases = await renders(<ThreadScreen params={{ id: 't1' }} />)
  expect(phases[0]).toBe('mount')
  expect(phases).not.toContain('nested-update')
  const title = await screen.findByRole('heading', { name: 'Отпуск' })
  expect(title.closest('[data-frame-bar]')).toBeTruthy()
})
