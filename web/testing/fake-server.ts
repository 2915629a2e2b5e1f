import { vi } from 'vitest'
import type * as z from 'zod/mini'
import { AnswerEvent, writeAnswerEvent } from '#contract/answers.ts'
import { fillPath, type Input, type JsonEndpoint, type Params } from '#contract/endpoint.ts'
import { ApiError, type ErrorCode, errorStatus } from '#contract/errors.ts'

/** What an endpoint answers: data of its schema, an error, or a stream. */
type Reply<E extends JsonEndpoint> = z.input<E['returns']> | ApiError | Response
/** What the page sent, as the handler of the server would get it. */
type Call<E extends JsonEndpoint> = { params: Params<E>; query: Record<string, string> } & Omit<
  Input<E>,
  'params' | 'query'
>
type Script<E extends JsonEndpoint> = (call: Call<E>) => Reply<E> | Promise<Reply<E>>

interface Handler {
  endpoint: JsonEndpoint
  script: Script<JsonEndpoint>
  calls: Call<JsonEndpoint>[]
}

/**
 * A server that a test scripts by endpoint. Requests and answers are checked against the contract; a call that no
 * script expects, or one that breaks the contract, fails the test.
 */
export class FakeServer {
  static #open: FakeServer[] = []
  readonly #handlers: Handler[] = []
  readonly #problems: string[] = []

  constructor() {
    FakeServer.#open.push(this)
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.#fetch(url, init))
    vi.stubGlobal('XMLHttpRequest', uploadRequest(this.#reply))
  }

  /** Everything that went wrong at the servers of a test. */
  static closeAll(): string[] {
    return FakeServer.#open.splice(0).flatMap((server) => server.#problems)
  }

  /** The answer from now on; the latest script for an endpoint counts. */
  on<E extends JsonEndpoint>(endpoint: E, reply: Reply<E> | Script<E>): this {
    const script = (typeof reply === 'function' ? reply : () => reply) as Script<JsonEndpoint>
    const known = this.#handlers.find((handler) => handler.endpoint === endpoint)
    if (known) known.script = script
    else this.#handlers.push({ endpoint, script, calls: [] })
    return this
  }

  calls<E extends JsonEndpoint>(endpoint: E): Call<E>[] {
    return (this.#handlers.find((handler) => handler.endpoint === endpoint)?.calls ?? []) as Call<E>[]
  }

  async #fetch(url: string, { method = 'GET', body, signal }: RequestInit): Promise<Response> {
    signal?.throwIfAborted()
    return this.#reply(method, url, body == null ? undefined : JSON.parse(String(body)))
  }

  readonly #reply = async (method: string, url: string, body?: unknown): Promise<Response> => {
    const { pathname, searchParams } = new URL(url, location.origin)
    for (const handler of this.#handlers) {
      const params = handler.endpoint.method === method ? matchPath(handler.endpoint.path, pathname) : null
      if (params) return this.#answer(handler, params, Object.fromEntries(searchParams), body)
    }
    return this.#complain(`${method} ${url} was not expected`)
  }

  async #answer({ endpoint, script, calls }: Handler, params: object, query: object, sent: unknown): Promise<Response> {
    const name = `${endpoint.method} ${endpoint.path}`
    const body = endpoint.body?.safeParse(sent)
    if (body && !body.success) return this.#complain(`${name} got a wrong body: ${body.error.message}`)
    const call = { params, query, body: body?.data ?? sent } as Call<JsonEndpoint>
    calls.push(call)
    const reply = await script(call)
    if (reply instanceof Response) return reply
    if (reply instanceof ApiError) {
      const { status, code, message, field } = reply
      return Response.json({ status, code, message, field }, { status })
    }
    const checked = endpoint.returns.safeParse(reply)
    return checked.success ? Response.json(reply) : this.#complain(`${name} answers wrongly: ${checked.error.message}`)
  }

  #complain(problem: string): Response {
    this.#problems.push(problem)
    return Response.json({ status: 400, code: 'bad_request', message: problem }, { status: 400 })
  }
}

export function rejection(code: ErrorCode, message: string, field?: string): ApiError {
  return new ApiError({ status: errorStatus[code], code, message, ...(field && { field }) })
}

/** The stream of an answer, event by event. */
export function answerStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 99,
  })
  const writer = writable.getWriter()
  return {
    response: new Response(readable),
    send: (event: AnswerEvent) =>
      writer.write(new TextEncoder().encode(writeAnswerEvent(AnswerEvent.parse(event)))).catch(() => undefined),
    end: () => writer.close().catch(() => undefined),
  }
}

/** A reply that the test sends at a moment of its choice. */
export function later<Value>() {
  let give: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const sample = fillPath(pattern, Object.fromEntries(names.map((name) => [name, 'PARAM'])))
  const found = new RegExp(`^${sample.replaceAll('PARAM', '([^/]+)')}$`).exec(pathname)
  return found && Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] ?? '')]))
}

type ReplyTo = (method: string, url: string, body?: unknown) => Promise<Response>

/** Files go by XMLHttpRequest, because fetch cannot say how far an upload has come. */
function uploadRequest(reply: ReplyTo) {
  return class {
    readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    onload?: () => void
    onerror?: () => void
    status = 0
    responseText = ''
    #address = { method: '', url: '' }
    #isAborted = false

    open(method: string, url: string) {
      this.#address = { method, url }
    }

    setRequestHeader() {}

    abort() {
      this.#isAborted = true
    }

    send(body: FormData | Blob) {
      void this.#finish(body instanceof FormData ? body.get('file') : body)
    }

    async #finish(file: unknown) {
      await Promise.resolve()
      this.upload.onprogress?.({ loaded: 1, total: 2 })
      try {
        const response = await reply(this.#address.method, this.#address.url, file)
        this.status = response.status
        this.responseText = await response.text()
        if (!this.#isAborted) this.onload?.()
      } catch {
        if (!this.#isAborted) this.onerror?.()
      }
    }
  }
}
