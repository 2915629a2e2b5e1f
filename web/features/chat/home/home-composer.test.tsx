import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { modelsApi } from '#contract/models.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { type Thread, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { startDelivery } from '../outbox/deliver.ts'
import { outbox } from '../outbox/outbox.ts'
import { field } from '../testing/open-composer.tsx'
import { unsavedThread } from '../thread/thread-data.ts'
import { HomeComposer } from './home-composer.tsx'

const model = { id: 'm1', name: 'Умная' }

/** The start screen of a user whose list has these threads; every message is refused because of the balance. */
async function openHome(listed: (userId: string) => Thread[] = () => []) {
  const userId = newUserId()
  const client = createQueryClient()
  const server = new FakeServer()
    .on(usersApi.me, aProfile({ availableTokens: 2 }, { id: userId }))
    .on(modelsApi.list, [aModel()])
    .on(modelsApi.usualCosts, [])
    .on(bundlesApi.list, [])
    .on(plansApi.list, [])
    .on(threadsApi.create, ({ body }) => ({ ...unsavedThread(body.id ?? '', userId, model) }))
    .on(answersApi.send, rejection('out_of_symbols', 'Закончились символы в подписке'))
  const list = { pages: [{ items: listed(userId), nextCursor: null }], pageParams: [null] }
  client.setQueryData(threadsQuery('active').queryKey, list)
  onTestFinished(startDelivery(client, userId))
  const begun: string[] = []
  const drawn = render(<HomeComposer onBegin={(id) => begun.push(id)} />, { client, userId })
  await screen.findByRole('button', { name: 'Модель: Умная' })
  return { ...drawn, server, begun, userId }
}

const anEmpty = (userId: string, change: Partial<Thread> = {}): Thread => ({
  ...unsavedThread('empty-chat', userId, model),
  ...change,
})

test('a first message uses the empty chat that an earlier try has left, instead of creating another', async () => {
  const { user, server, begun } = await openHome((userId) => [anEmpty(userId)])
  await user.type(field(), 'Привет{Enter}')
  expect(begun).toEqual(['empty-chat'])
  await waitFor(() => expect(server.calls(answersApi.send)).toHaveLength(1))
  expect(server.calls(threadsApi.create).map(({ body }) => body.id)).toEqual(['empty-chat'])
})

test.each<[string, Partial<Thread>]>([
  ['with messages', { currentLeafId: 'a1' }],
  ['with a name of its own', { title: 'Договор' }],
  ['of an assistant', { assistantId: 'lawyer' }],
])('a chat %s is never used for a new one', async (_, change) => {
  const { user, begun } = await openHome((userId) => [anEmpty(userId, change)])
  await user.type(field(), 'Привет{Enter}')
  expect(begun).toHaveLength(1)
  expect(begun).not.toContain('empty-chat')
})

test('a temporary chat says what that means, is created as one and never uses an empty chat', async () => {
  const { user, server, begun } = await openHome((userId) => [anEmpty(userId)])
  await user.click(screen.getByRole('switch', { name: 'Временный чат' }))
  expect(screen.getByText(/^Не появится в списке и поиске/).textContent).toContain('операции остаются в истории')
  await user.type(field(), 'Привет{Enter}')
  expect(begun).not.toContain('empty-chat')
  await waitFor(() => expect(server.calls(threadsApi.create)).toHaveLength(1))
  expect(server.calls(threadsApi.create)[0]?.body).toMatchObject({ id: begun[0], temporary: true })
})

test('in a page that was opened without a network a message goes to the outbox, for the usual model', async () => {
  onlineManager.setOnline(false)
  const begun: string[] = []
  const { user } = render(<HomeComposer onBegin={(id) => begun.push(id)} />, { userId: newUserId() })
  await user.type(field(), '{Enter}')
  expect(begun).toEqual([])
  await user.type(field(), 'Чай или кофе?{Enter}')
  expect(outbox().all()).toMatchObject([
    { threadId: begun[0], content: 'Чай или кофе?', newThread: { modelId: null, assistantId: null } },
  ])
})
