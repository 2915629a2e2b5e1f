import { linkTags, SHELL_HEADER, SIGNED_IN_CACHE, type SignedInNote, shellName } from '#contract/shell.ts'
import { type Handling, handlingOf, isExpected, type Page, splitPage, type WorkerManifest } from './rules.ts'

/**
 * Stores the layout and the files of the page in the browser: on the next visit they are shown before the server
 * answers, or offline. They are the same for all users; the data of a user comes with the response and is never stored.
 */

declare const self: ServiceWorkerGlobalScope
declare const STORED: WorkerManifest

const PREFIX = 'stored-'
const CACHE_NAME = PREFIX + STORED.version
/** A request without a response within this time counts as offline. */
const RESPONSE_TIMEOUT_MS = 10_000

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const handling = handlingOf(event.request, self.location.origin)
  if (handling.type === 'file') event.respondWith(answerFile(event))
  if (handling.type === 'page') event.respondWith(answerPage(event.request, handling))
})

/** All or nothing: during an upgrade another server may not have these files yet. */
async function install() {
  await (await caches.open(CACHE_NAME)).addAll(STORED.files)
  await self.skipWaiting()
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE_NAME) await caches.delete(name)
  await self.clients.claim()
}

async function answerFile(event: FetchEvent): Promise<Response> {
  const stored = await caches.match(event.request, { cacheName: CACHE_NAME, ignoreVary: true })
  if (stored) return stored
  const response = await fetch(event.request)
  if (response.ok && response.type === 'basic') {
    const copy = response.clone()
    event.waitUntil(caches.open(CACHE_NAME).then((cache) => cache.put(event.request, copy)))
  }
  return response
}

type PageHandling = Extract<Handling, { type: 'page' }>

async function answerPage(request: Request, { layout, screen }: PageHandling): Promise<Response> {
  const network = fetch(request)
  // Prevents an unhandled rejection; errors are handled where the response is awaited.
  network.catch(() => undefined)
  const stored = await readStored(layout)
  if (!stored) return network
  const { before, after } = stored.page
  const files = layout === 'frame' ? linkTags(STORED.screens[screen] ?? []) : ''
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode(before))
      const end = await Promise.race([restOfPage(network, stored.name), pause(RESPONSE_TIMEOUT_MS)])
      controller.enqueue(encoder.encode(files + (end ?? after)))
      controller.close()
    },
  })
  return new Response(body, { headers: stored.headers })
}

interface StoredPage {
  name: string
  page: Page
  headers: Headers
}

/** Null unless a user is signed in who has seen this build. */
async function readStored(layout: PageHandling['layout']): Promise<StoredPage | null> {
  const seen = (await (await caches.match('/', { cacheName: SIGNED_IN_CACHE }))?.json()) as SignedInNote | undefined
  if (seen?.build !== STORED.build) return null
  const name = shellName({ layout, isNamed: false, isAdmin: seen.isAdmin })
  const response = await caches.match(`${STORED.folder}/${name}`, { cacheName: CACHE_NAME, ignoreVary: true })
  const page = response && splitPage(await response.text())
  if (!page) return null
  // The response is built from a stored one, so it needs the security headers that the server sent with that.
  const headers = new Headers(response.headers)
  for (const header of ['content-encoding', 'content-length', 'etag', 'vary']) headers.delete(header)
  headers.set('cache-control', 'no-store')
  return { name, page, headers }
}

/** The rest of the page from the server's response; null when offline. */
async function restOfPage(network: Promise<Response>, name: string): Promise<string | null> {
  try {
    const response = await network
    const { status, redirected, headers } = response
    const isOurs = isExpected({ status, redirected, shell: headers.get(SHELL_HEADER) }, STORED.version, name)
    const page = isOurs ? splitPage(await response.text()) : null
    return page ? page.after : await reloadPage()
  } catch {
    return null
  }
}

/** The response does not match the stored layout, so the page is requested again, this time without a stored layout. */
async function reloadPage(): Promise<string> {
  await caches.delete(SIGNED_IN_CACHE)
  return `<script src="/reload-fresh.js?${STORED.version}"></script></body></html>`
}

const pause = (ms: number) => new Promise<null>((done) => setTimeout(() => done(null), ms))
