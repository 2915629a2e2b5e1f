import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Agent } from 'node:https'
import * as z from 'zod/mini'
import { kindOf, LlmError, rejectedBy, unreachable } from './errors.ts'
import { readText, retryAfterMs, send } from './request.ts'

interface Access {
  url: URL
  /** Client id and secret in base64, as the vendor's console shows them. */
  key: string
  scope: string
  agent: Agent | undefined
}

export interface SberTokens {
  get: (signal: AbortSignal) => Promise<string>
  /** Forgets a token that was rejected, unless a newer one is already there. */
  drop: (token: string) => void
}

interface Token {
  value: string
  until: number
}

const TIMEOUT_MS = 15_000
/** A token is renewed this long before its end, so that it does not expire during a request. */
const MARGIN_MS = 60_000
/** A token is used at least this long, even if the clocks of both sides differ. */
const LEAST_MS = 10_000

/** Tokens of GigaChat and SaluteSpeech are valid for half an hour. Requests that wait for a new one share one renewal. */
export function createSberTokens(access: Access, now: () => number = Date.now): SberTokens {
  let current: Token | null = null
  let asking: Promise<Token> | null = null

  function renew(): Promise<Token> {
    asking ??= ask(access, now)
      .then((token) => {
        current = token
        return token
      })
      .finally(() => {
        asking = null
      })
    return asking
  }

  return {
    get: async (signal) => {
      if (current && current.until > now()) return current.value
      return (await unlessAborted(renew(), signal)).value
    },
    drop: (token) => {
      if (current?.value === token) current = null
    },
  }
}

/** Rejects for this caller only: the shared request continues for the others. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const leave = () => fail(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', leave))
  })
}

const Answer = z.object({ access_token: z.string(), expires_at: z.number() })

async function ask({ url, key, scope, agent }: Access, now: () => number): Promise<Token> {
  const requestedAt = now()
  try {
    const response = await send(url, {
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${key}`,
        rquid: randomUUID(),
      },
      body: new URLSearchParams({ scope }).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      agent,
    })
    const text = await readText(response)
    const status = response.statusCode ?? 0
    if (status !== 200) throw rejection(status, text, response.headers)
    const { access_token, expires_at } = Answer.parse(JSON.parse(text))
    return { value: access_token, until: Math.max(expires_at - MARGIN_MS, requestedAt + LEAST_MS) }
  } catch (error) {
    if (error instanceof LlmError) throw error
    throw unreachable(error)
  }
}

/** A scope that does not belong to the key is rejected with 400. */
function rejection(status: number, text: string, headers: IncomingHttpHeaders): LlmError {
  const kind = status === 400 ? 'key' : kindOf(status, text)
  return rejectedBy({ status, text, headers, kind, retryAfterMs: retryAfterMs(headers) })
}
