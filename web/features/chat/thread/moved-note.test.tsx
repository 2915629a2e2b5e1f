import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { threadsApi } from '#contract/threads.ts'
import { threadKey } from '../state/thread-data.ts'
import { openThread } from '../testing/open-thread.tsx'

test('a chat names the successor of its removed model until seen (S10.363)', async () => {
  const { server, client, threadId, user } = await openThread({ messages: [{ id: 'q1' }] })
  client.setQueryData(threadKey(threadId), (data) => data && { ...data, movedFrom: 'Старая' })
  const note = 'Модель «Старая» отключена провайдером, чат продолжает «Умная».'
  expect(await screen.findByText(note)).toBeTruthy()
  server.on(threadsApi.update, () => {
    const {
      Messages: _,
      Summaries: __,
      Assistant: ___,
      olderCursor: ____,
      ...thread
    } = client.getQueryData(threadKey(threadId)) ?? fail()
    return { ...thread, movedFrom: null }
  })
  await user.click(screen.getByRole('button', { name: 'Понятно' }))
  await waitFor(() => expect(screen.queryByText(note)).toBeNull())
  expect(server.calls(threadsApi.update)).toMatchObject([{ body: { movedFrom: null } }])
})

function fail(): never {
  throw new Error('no thread')
}
