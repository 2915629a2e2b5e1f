import { call } from '#contract/call.ts'
import type { Answer, Args, Endpoint } from '#contract/endpoint.ts'
import { progress, showsProgress } from './progress.ts'
import { isRetried } from './retry.ts'

const RETRY_DELAY_MS = 300

interface Options {
  signal?: AbortSignal
}

/** A call of the contract as the page makes it: seen in the loading bar, retried by the rule. */
export function api<E extends Endpoint>(endpoint: E, args: Args<E>, { signal }: Options = {}): Promise<Answer<E>> {
  const answer = call(endpoint, args, (url, init) => fetchWithRetry(url, signal ? { ...init, signal } : init))
  return showsProgress(endpoint.path) ? progress.during(answer) : answer
}

async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!isRetried(init.method ?? 'GET', response.status)) return response
  await response.body?.cancel()
  await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  return fetch(url, init)
}
