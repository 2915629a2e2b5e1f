import type { FramedLayout } from '#contract/shell.ts'
import { offlineLayout } from './rules.ts'

/**
 * Stores the files of the chat and its layouts without data, for visits without a network. With a network every page
 * comes from the server, so a page never meets files of another build.
 */

/** The constant that the server writes before this script; null deletes all that is stored, and the worker. */
declare const STORED: { version: string; pages: Record<FramedLayout, string>; files: string[] } | null
declare const self: ServiceWorkerGlobalScope

/** A server that is silent for so long counts as unreachable. */
const RESPONSE_TIMEOUT_MS = 10_000
const files = new Set(STORED?.files)

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { origin, pathname, search } = new URL(event.request.url)
  const layout = STORED && offlineLayout(event.request, self.location.origin)
  if (layout) event.respondWith(answerPage(event.request, STORED.pages[layout]))
  else if (origin === self.location.origin && files.has(pathname + search)) event.respondWith(answerFile(event.request))
})

/** All or nothing: during an upgrade another server may not have these files yet. */
async function install() {
  if (STORED) await (await caches.open(STORED.version)).addAll([...Object.values(STORED.pages), ...STORED.files])
  await self.skipWaiting()
}

async function activate() {
  for (const name of await caches.keys()) if (name !== STORED?.version) await caches.delete(name)
  await (STORED ? self.clients.claim() : self.registration.unregister())
}

async function answerPage(request: Request, page: string): Promise<Response> {
  const network = fetch(request)
  const silence = new Promise<never>((_, reject) => setTimeout(reject, RESPONSE_TIMEOUT_MS))
  return Promise.race([network, silence]).catch(async () => (await stored(page)) ?? network)
}

const answerFile = async (request: Request) => (await stored(request)) ?? fetch(request)

const stored = (request: Request | string) => caches.match(request, { ignoreVary: true })
