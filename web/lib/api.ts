import { apiErrorOf, callPage, retryAfterOf } from '#contract/call.ts'
import type { Answer, Args, JsonEndpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { progress, showsProgress } from './progress.ts'
import { isRetryable, retryDelay } from './retry.ts'

interface Options {
  signal?: AbortSignal
  /** Lets the request outlive the page. */
  keepalive?: true
  /** A rejected call asks for nothing by itself: for data that is loaded without a click. */
  asks?: false
}

/** Calls an endpoint of the contract: shows the loading bar, retries, asks for a fresh proof of identity. */
export async function api<E extends JsonEndpoint>(endpoint: E, args: Args<E>, options?: Options): Promise<Answer<E>> {
  return (await apiPage(endpoint, args, options)).items
}

/** The same for a paged list: returns the rows and the cursor of the next page. */
export function apiPage<E extends JsonEndpoint>(endpoint: E, args: Args<E>, { asks, ...options }: Options = {}) {
  const run = () => callPage(endpoint, args, (url, init) => fetchWithRetry(url, { ...init, ...options }))
  const page = asks === false ? run() : run().catch(retryAfterDialog(run))
  return showsProgress(endpoint.path) ? progress.during(page) : page
}

/** Asks for what a rejected call lacks, a fresh proof or consents, and makes it again. */
export const retryAfterDialog =
  <Result>(run: () => Promise<Result>) =>
  async (error: ApiError): Promise<Result> => {
    if (!/^(proof|consent)_required$/.test(error.code)) throw error
    return (await import('./call-requirements.ts')).askAndRetry(error, run)
  }

/** Opens a stream of events: shows the loading bar until it begins, and throws when the request is rejected. */
export function openStream(path: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const run = () => readStream(path, init)
  return run().catch(retryAfterDialog(run))
}

async function readStream(path: string, init: RequestInit): Promise<ReadableStream<Uint8Array>> {
  const response = await progress.during(fetch(path, { credentials: 'include', ...init }))
  if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null), response.headers)
  if (!response.body) throw new ApiError({ status: 0, code: 'network', message: 'Unknown stream error' })
  return response.body
}

async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const delay = isRetryable(init.method ?? 'GET', response.status) ? retryDelay(retryAfterOf(response.headers)) : null
  if (delay === null) return response
  await response.body?.cancel()
  await new Promise((resolve) => setTimeout(resolve, delay))
  return fetch(url, init)
}
