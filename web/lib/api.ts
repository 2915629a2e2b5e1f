import { callPage } from '#contract/call.ts'
import type { Answer, Args, Endpoint } from '#contract/endpoint.ts'
import { progress, showsProgress } from './progress.ts'
import { isRetried } from './retry.ts'

const RETRY_DELAY_MS = 300

interface Options {
  signal?: AbortSignal
}

/** A call of the contract as the page makes it: seen in the loading bar, retried by the rule. */
export async function api<E extends Endpoint>(endpoint: E, args: Args<E>, options?: Options): Promise<Answer<E>> {
  return (await apiPage(endpoint, args, options)).items
}

/** The same for a list in pages: the rows and where the next page begins. */
export function apiPage<E extends Endpoint>(endpoint: E, args: Args<E>, { signal }: Options = {}) {
  const page = callPage(endpoint, args, (url, init) => fetchWithRetry(url, signal ? { ...init, signal } : init))
  return showsProgress(endpoint.path) ? progress.during(page) : page
}

async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!isRetried(init.method ?? 'GET', response.status)) return response
  await response.body?.cancel()
  await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  return fetch(url, init)
}
