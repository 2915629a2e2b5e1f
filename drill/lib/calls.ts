import { setTimeout as pause } from 'node:timers/promises'
import type { Person } from './people.ts'
import { noteStatus } from './reading.ts'
import type { Stage } from './stage.ts'

interface CallOptions {
  method?: string
  body?: unknown
  form?: FormData
  limitSeconds?: number
}

export interface Called {
  /** 0 without a response. */
  status: number
  body: Record<string, unknown>
  seconds: number
}

export async function callAs(person: Person, url: string, options: CallOptions = {}): Promise<Called> {
  const { method = 'GET', body, form, limitSeconds = 30 } = options
  const started = performance.now()
  const headers = { ...person.headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const sent = form ?? (body === undefined ? undefined : JSON.stringify(body))
  const init = { method, headers, signal: AbortSignal.timeout(limitSeconds * 1000), ...(sent && { body: sent }) }
  try {
    const response = await fetch(url, init)
    const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
    return { status: response.status, body: answer, seconds: (performance.now() - started) / 1000 }
  } catch {
    return { status: 0, body: {}, seconds: (performance.now() - started) / 1000 }
  }
}

const CALL_EVERY_MS = 300

/** Reloads the list of chats until stopped; any error is a failure of the scenario. Returns the function that stops. */
export function pollThreads({ people, balancer, streams, fail }: Stage): () => Promise<void> {
  const person = people[streams]
  let isOver = false
  const polling = (async () => {
    while (!isOver && person) {
      const errors: string[] = []
      const init = { headers: person.headers, signal: AbortSignal.timeout(30_000) }
      const response = await fetch(`${balancer.url}/api/threads`, init).catch(() => null)
      await response?.body?.cancel().catch(() => undefined)
      if (response) noteStatus(errors, 'список чатов', response)
      for (const error of errors) fail(error)
      await pause(CALL_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await polling
  }
}
