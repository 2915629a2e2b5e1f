import { AnswerEvent, answersApi, readAnswerEvents, type SendMessage } from '#contract/answers.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type Message, threadsApi } from '#contract/threads.ts'
import { models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#server/llm/testing/fake-openai.ts'
import { type SignedIn, startTestApp, type TestApp, type TestAppOptions } from '#server/testing/app.ts'
import { listen } from '#server/testing/port.ts'
import { TEST_ORIGIN } from '#server/testing/visitor.ts'

export type Chat = Awaited<ReturnType<typeof startChat>>

type ModelDraft = Partial<typeof models.$inferInsert> & { id: string }

/** The whole server on a real port with a scripted provider behind it. */
export async function startChat(options: TestAppOptions & { provider?: FakeOpenAi } = {}) {
  const provider = options.provider ?? (await startFakeOpenAi())
  const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'key' }])
  const app = await startTestApp({ ...options, deps: { providers, ...options.deps } })
  const server = await listen(app)
  await addModel(app, { id: 'fast' })
  return {
    app,
    provider,
    addModel: (model: ModelDraft) => addModel(app, model),
    person: async (email?: string) => createTalker(await app.signIn(email), server.port),
    /** A user with the session of another instance. */
    withCookies: (visitor: SignedIn) => createTalker(visitor, server.port),
    close: async () => {
      await server.close()
      await app.close()
      if (!options.provider) await provider.close()
    },
  }
}

async function addModel({ db }: TestApp, model: ModelDraft) {
  await db
    .insert(models)
    .values({ name: model.id, provider: 'fake', providerModel: `vendor/${model.id}`, position: -1, ...model })
    .onConflictDoNothing()
}

export type Talker = ReturnType<typeof createTalker>

function createTalker(visitor: SignedIn, port: number) {
  const cookie = () => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const abort = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        origin: TEST_ORIGIN,
        cookie: cookie(),
        accept: 'text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: abort.signal,
    })
    return { response, abort }
  }

  async function open(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const { response, abort } = await request(method, path, body, headers)
    return createReading(response, abort)
  }

  return {
    ...visitor,
    newThread: async (modelId = 'fast') =>
      (await visitor.call(threadsApi.create, { body: { Model: { connect: { id: modelId } } } })).id,
    read: (id: string) => visitor.call(threadsApi.get, { params: { id }, query: {} }),
    send: (id: string, message: SendMessage, headers = {}) =>
      open('POST', fillPath(answersApi.send.path, { id }), message, headers),
    regenerate: (id: string, messageId: string, body = {}) =>
      open('POST', fillPath(answersApi.regenerate.path, { id, messageId }), body),
    continue: (id: string, messageId: string, body = {}) =>
      open('POST', fillPath(answersApi.continue.path, { id, messageId }), body),
    attach: (id: string, messageId: string, have?: number, haveThought = 0, headers = {}) =>
      open('GET', fillPath(answersApi.stream.path, { id, messageId }), undefined, {
        ...(have !== undefined && { 'last-event-id': String(have) }),
        'last-thought-id': String(haveThought),
        ...headers,
      }),
    stream: async (path: string, body: unknown) => (await request('POST', path, body)).response,
    stop: (id: string, messageId: string) => visitor.call(answersApi.stop, { params: { id, messageId } }),
  }
}

export type Reading = ReturnType<typeof createReading>

/** Applies the events of an answer to its text, as the page does. */
function createReading(response: Response, abort: AbortController) {
  const events: AnswerEvent[] = []
  let text = ''
  let thought = ''
  let offset = 0
  const waiting = new Set<() => void>()
  // Fetch may drop its signal once the request is garbage collected, so the reader also stops by itself.
  const isCut = new Promise<'cut'>((done) => abort.signal.addEventListener('abort', () => done('cut')))
  function receive(event: AnswerEvent) {
    events.push(event)
    if (event.type === 'start') {
      text = event.assistant.content
      thought = event.assistant.thought?.text ?? ''
      offset = text.length
    }
    if (event.type === 'delta') {
      text += event.text
      offset = event.offset
    }
    if (event.type === 'thought') thought = thought.slice(0, event.offset - event.text.length) + event.text
    for (const recheck of waiting) recheck()
  }
  const ended = (async () => {
    if (!response.ok || !response.body) return
    const stream = readAnswerEvents(response.body)
    for (;;) {
      const next = await Promise.race([stream.next().catch(() => 'cut' as const), isCut])
      if (next === 'cut') stream.return(undefined).catch(() => undefined)
      if (next === 'cut' || next.done) return
      receive(AnswerEvent.parse(next.value))
    }
  })().finally(() => {
    for (const recheck of waiting) recheck()
  })

  const last = () => events.at(-1)
  return {
    status: response.status,
    response,
    events,
    text: () => text,
    thought: () => thought,
    offset: () => offset,
    until: (enough: () => boolean) =>
      new Promise<void>((done, fail) => {
        const recheck = () => {
          if (enough()) done()
          else return
          waiting.delete(recheck)
        }
        waiting.add(recheck)
        recheck()
        void ended.then(() =>
          enough() ? done() : fail(new Error(`The stream ended early: ${JSON.stringify(last())}`)),
        )
      }),
    started: () => events.find((event) => event.type === 'start'),
    end: async () => {
      await ended
      return last()
    },
    message: async (): Promise<Message> => {
      await ended
      const end = last()
      if (end?.type !== 'done') throw new Error(`Not done: ${response.status} ${JSON.stringify(end)}`)
      return end.message
    },
    error: async () =>
      response.ok ? null : ((await response.json()) as { status: number; code: string; message: string }),
    cut: () => abort.abort(),
  }
}
