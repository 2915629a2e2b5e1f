import { onlineManager } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { modelsApi } from '#contract/models.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { noteQuestionDraft, questionDraft } from '../pending-question/question-draft.ts'
import { draftKey, drafts } from '../state/drafts.ts'
import { outbox } from '../state/outbox.ts'
import { unsavedThread } from '../state/thread-data.ts'
import { field } from '../testing/open-composer.tsx'
import { HomeComposer } from './home-composer.tsx'

const model = { id: 'm1', name: 'Умная' }

/** The start screen of a user whose every message is refused because of the balance. */
async function openHome(userId = newUserId()) {
  const client = createQueryClient()
  const server = new FakeServer()
    .on(usersApi.me, aProfile({ availableTokens: 2 }, { id: userId }))
    .on(modelsApi.list, [aModel()])
    .on(modelsApi.usualCosts, [])
    .on(bundlesApi.list, [])
    .on(plansApi.list, [])
    .on(threadsApi.create, ({ body }) => ({ ...unsavedThread(body.id ?? '', userId, model) }))
    .on(threadsApi.delete, ({ params }) => unsavedThread(params.id, userId, model))
    .on(answersApi.send, rejection('out_of_symbols', 'Закончились символы в подписке'))
  const begun: string[] = []
  const drawn = render(<HomeComposer onBegin={(id) => begun.push(id)} />, { client, userId })
  await screen.findByRole('button', { name: 'Модель: Умная' })
  return { ...drawn, server, begun, userId }
}

test('an unpaid first message returns to the field and leaves no chat (S10.158)', async () => {
  const { user, server, begun } = await openHome()
  await user.type(field(), 'Привет{Enter}')
  expect(await screen.findByRole('region', { name: 'Не хватает символов' })).toBeTruthy()
  expect(field().value).toBe('Привет')
  expect(server.calls(threadsApi.delete).map(({ params, query }) => [params.id, query.forever])).toEqual([
    [begun[0], '1'],
  ])
  await user.type(field(), '!{Enter}')
  await waitFor(() => expect(server.calls(threadsApi.create).map(({ body }) => body.id)).toEqual(begun))
  expect(begun).toHaveLength(2)
})

test('a temporary chat explains itself and is created as temporary (S10.228)', async () => {
  const { user, server, begun } = await openHome()
  await user.click(screen.getByRole('switch', { name: 'Временный чат' }))
  expect((await screen.findByText(/^Не появится в списке и поиске/)).textContent).toContain(
    'операции остаются в истории',
  )
  await user.type(field(), 'Привет{Enter}')
  await waitFor(() => expect(server.calls(threadsApi.create)).toHaveLength(1))
  expect(server.calls(threadsApi.create)[0]?.body).toMatchObject({ id: begun[0], temporary: true })
})

test('an offline message waits in the outbox for the usual model (S10.445)', async () => {
  onlineManager.setOnline(false)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const begun: string[] = []
  const { user } = render(<HomeComposer onBegin={(id) => begun.push(id)} />, { userId: newUserId() })
  await user.type(field(), '{Enter}')
  expect(begun).toEqual([])
  await user.type(field(), 'Чай или кофе?{Enter}')
  expect(outbox().all()).toMatchObject([
    { threadId: begun[0], content: 'Чай или кофе?', newThread: { modelId: null, assistantId: null } },
  ])
})

test('a question from a link says so and keeps its ids (S10.663)', async () => {
  const question = { id: 'message-of-link', threadId: 'thread-of-link', text: 'Почему небо синее?' }
  const userId = newUserId()
  noteQuestionDraft(userId, question)
  drafts().append(draftKey(userId, null), { text: question.text, files: [] })
  const { user, server, begun } = await openHome(userId)
  expect(await screen.findByText(/^Вы спросили это при входе/)).toBeTruthy()
  await user.click(field())
  await user.keyboard('{Enter}')
  expect(begun).toEqual(['thread-of-link'])
  await waitFor(() => expect(server.calls(answersApi.send)).toMatchObject([{ body: { id: 'message-of-link' } }]))
  expect(questionDraft(userId)).toBeNull()
})
