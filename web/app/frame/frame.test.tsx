import { screen } from '@testing-library/react'
import { Profiler } from 'react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import HomeScreen from '#web/features/chat/screens/home.tsx'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aPage, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { Frame } from './frame.tsx'

// React would run all effects of the page in the task that shows it, and could not paint it before they end.
test('showing the page asks for no second render (S10.1000)', async () => {
  const { user } = aPage('anna')
  if (!user) throw new Error('The sample has no user')
  openSilentRealtime()
  new FakeServer().on(modelsApi.usualCosts, [])
  const client = createQueryClient()
  client.setQueryData(profileQuery.queryKey, aProfile())
  client.setQueryData(modelsQuery.queryKey, [aModel()])
  client.setQueryData(threadsQuery('active').queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [null] })
  const phases: string[] = []
  render(
    <Profiler id="page" onRender={(_, phase) => phases.push(phase)}>
      <Frame user={user}>
        <HomeScreen />
      </Frame>
    </Profiler>,
    { client },
  )
  expect(await screen.findByRole('textbox', { name: 'Сообщение' })).toBeTruthy()
  expect(phases[0]).toBe('mount')
  expect(phases).not.toContain('nested-update')
})
