import { useQuery, useQueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { answersApi, type SendMessage } from '#contract/answers.ts'
import type { SingleSubscription } from '#contract/billing.ts'
import { type Model, modelsApi } from '#contract/models.ts'
import type { PageConfig } from '#contract/page.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import type { Summary } from '#contract/summaries.ts'
import { type Message, threadsApi } from '#contract/threads.ts'
import { type Settings, usersApi } from '#contract/users.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { answerStream, FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aBalance, aModel, aProfile } from '#web/testing/samples.ts'
import { openSilentRealtime } from '#web/testing/silent-realtime.ts'
import { threadQuery } from '../queries.ts'
import { sendMessage } from '../sending/send.ts'
import { type OutboxItem, outbox } from '../state/outbox.ts'
import { ThreadView } from '../thread/thread-view.tsx'
import { aMessage, aThread } from './a-message.ts'

interface ThreadSetup {
  /** The stored messages, oldest first. */
  messages?: (Partial<Message> & { id: string })[]
  balance?: Partial<SingleSubscription>
  settings?: Partial<Settings>
  summaries?: Summary[]
  model?: Partial<Model>
  /** What the server sends to a page that attaches to the last message. */
  running?: Response
  config?: Partial<PageConfig>
}

function OpenThread({ id }: { id: string }) {
  const { data } = useQuery(threadQuery(useQueryClient(), id))
  return data ? <ThreadView data={data} /> : null
}

/** Renders a chat with the model «Умная». Without a script of the test every answer is one word. */
export async function openThread(given: ThreadSetup = {}) {
  const { messages = [], balance = {}, settings = {}, model = {}, running } = given
  let summaries = given.summaries ?? []
  const userId = newUserId()
  const threadId = `thread-of-${userId}`
  const stored = messages.map(({ id, ...change }) => aMessage(id, { threadId, ...change }))
  const answerAtOnce = ({ body }: { body: SendMessage }) => exchangeAtOnce(stored, threadId, body)
  const server = new FakeServer()
    .on(usersApi.me, aProfile(balance, { id: userId, Settings: { ...aProfile().Settings, ...settings } }))
    .on(modelsApi.list, [aModel(model)])
    .on(modelsApi.usualCosts, [])
    .on(bundlesApi.list, [])
    .on(plansApi.list, [])
    .on(threadsApi.get, () => ({
      ...aThread(stored),
      id: threadId,
      Model: { id: 'm1', name: 'Умная' },
      Summaries: summaries,
    }))
    .on(answersApi.send, answerAtOnce)
    // An empty chat stays after a rejected message here, as one does that has messages of another window.
    .on(threadsApi.delete, rejection('conflict', 'Сначала уберите чат в корзину.'))
  if (running) server.on(answersApi.stream, running)
  const client = createQueryClient()
  const thread = {
    server,
    client,
    userId,
    threadId,
    answerAtOnce,
    /** Replaces the summaries on the server only. */
    storeSummaries(next: Summary[]) {
      summaries = next
    },
    /** Adds or changes a message on the server only. */
    store(message: Message) {
      const at = stored.findIndex(({ id }) => id === message.id)
      stored.splice(at < 0 ? stored.length : at, 1, message)
    },
    setBalance: (change: Partial<SingleSubscription>) =>
      client.setQueryData(profileQuery.queryKey, aProfile(change, { id: userId })),
    send: (content: string, change: Partial<OutboxItem> = {}) =>
      sendMessage(client, { userId, threadId, content, files: [], ...change }),
    /** Puts a message into the outbox without sending it; later ones are newer. */
    put(content: string, change: Partial<OutboxItem> = {}) {
      const at = outbox().all().length + 1
      const item = { id: `message-${at}`, userId, threadId, content, files: [], at, ...change }
      outbox().put(item)
      return item
    },
  }
  const publish = openSilentRealtime()
  const drawn = render(<OpenThread id={threadId} />, { client, userId, config: given.config ?? {} })
  await screen.findByRole('log', { name: 'Сообщения чата' })
  // The composer sends nothing before it knows the models.
  await screen.findByRole('button', { name: 'Модель: Умная' })
  return { ...drawn, ...thread, publish }
}

/** Both messages of an exchange as they are stored when the answer starts. */
export function anExchange(
  threadId: string,
  { id = 'question', content }: SendMessage,
  parentId: string | null = null,
) {
  const user = aMessage(id, { threadId, content, parentId })
  const answer: Partial<Message> = { threadId, parentId: id, role: 'assistant', modelId: 'm1' }
  const assistant = aMessage(`answer-${id}`, { ...answer, status: 'streaming', content: '' })
  return { user, assistant }
}

function exchangeAtOnce(stored: Message[], threadId: string, body: SendMessage): Response {
  const { user, assistant } = anExchange(threadId, body, stored.at(-1)?.id)
  const message: Message = { ...assistant, status: 'complete', content: 'Ответ', charged: 1 }
  stored.push(user, message)
  const stream = answerStream()
  void stream.send({ type: 'start', user, assistant })
  void stream.send({ type: 'done', message, charged: 1, SingleSubscription: aBalance() })
  void stream.end()
  return stream.response
}
