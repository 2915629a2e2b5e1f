import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { PageConfig, SessionUser, WrittenState } from '#contract/page.ts'
import type { Route } from '#contract/route-guard.ts'
import { findScreen, normalPath } from '#contract/screens.ts'
import { SHELL_HEADER, type Shell } from '#contract/shell.ts'
import type { ThreadWithMessages } from '#contract/threads.ts'
import { filesFor, noParts, type PageParts, shellOf, shownRoute, writePage } from './page-html.ts'
import type { App, Env } from './route.ts'
import { encodingFor, etagOf, type SiteFile, sendFile } from './site-file.ts'
import { type PageWorker, storePages } from './stored-pages.ts'

/** The built page, held in memory so that no request waits for the disk. */
export interface Site {
  buildId: string
  html: string
  files: Map<string, SiteFile>
  parts: PageParts
  worker: PageWorker
  /** Loads the built `web/shell/drawn-thread.tsx`; absent without a build. */
  drawing?: (() => Promise<Drawing>) | undefined
}

interface Drawing {
  drawThread: (thread: ThreadWithMessages, hasOlder: boolean) => string
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Reads the built page and the hashed files of the previous build, which open tabs may still request. */
export function loadSite(folder: string, keeps = true): Site {
  const files = new Map<string, SiteFile>()
  for (const source of [join(folder, 'previous'), join(folder, 'web')]) readInto(files, source)
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown
  const build = readJson('build.json') as { id: string }
  const readText = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  const parts = existsSync(join(folder, 'page-parts.json')) ? (readJson('page-parts.json') as PageParts) : noParts
  const worker = { keeps, script: readText(keeps ? 'worker.js' : 'worker-off.js') }
  const drawingFile = resolve(folder, 'drawing/drawn-thread.js')
  const drawing = existsSync(drawingFile)
    ? () => import(pathToFileURL(drawingFile).href) as Promise<Drawing>
    : undefined
  return { buildId: build.id, html: readText('web/index.html'), files, parts, worker, drawing }
}

function readInto(files: Map<string, SiteFile>, folder: string) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const type = types[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const raw = readFileSync(path)
    const address = path.slice(folder.length)
    files.set(address, {
      type,
      raw,
      br: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : null,
      gzip: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : null,
      etag: etagOf(raw),
      cache: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    })
  }
}

interface PageDeps {
  config: PageConfig
  /** Reads the state for the page. `decide` is called with the user of the session and returns what will be shown. */
  read: (
    c: Context<Env>,
    decide: (user: SessionUser | null) => Route,
  ) => Promise<{ state: WrittenState; route: Route; cookies: string[] }>
}

/** Serves files by name and the page for everything else; unknown routes answer 404 with the page. */
export function siteRoutes(app: App, site: Site, { config, read }: PageDeps) {
  const stored = storePages(site, config)
  app.get('*', async (c, next) => {
    const { path } = c.req
    const file = site.files.get(path) ?? stored.files.get(path)
    if (file) return sendFile(file, c.req.raw.headers)
    const { pathname, search } = new URL(c.req.url)
    const match = findScreen(pathname)
    const normal = normalPath(pathname)
    if (match && normal !== pathname) return c.redirect(normal + search, 308)
    // An id in the address of a screen may contain a dot; any other address with an extension is a missing file.
    if (path.startsWith('/api/') || (!match && extname(path) in types)) return next()
    const { state, route, cookies } = await read(c, (user) => shownRoute(normal, search, user, config.openHelp))
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    // Shared chats are not meant for search engines.
    if (match?.screen === 'shared-id') c.header('x-robots-tag', 'noindex, nofollow')
    // After a redirect of the page the query belongs to the address that was asked for.
    const isOwnPath = route.type === 'show' && route.path === normal
    const shell = shellOf(route, isOwnPath || route.type === 'fail' ? search : '', state)
    const storedName = match && stored.nameOf(shell)
    if (storedName) c.header(SHELL_HEADER, storedName)
    const drawn = await drawnThread(c, site, shell, state)
    const html = writePage(site.html, site.parts, { files: filesFor(route, site.parts), shell, state, drawn })
    return sendPage(c, html, match || route.type === 'show' ? 200 : 404)
  })
}

/** Empty when there is nothing to draw: the page then shows the layout without messages. */
async function drawnThread(c: Context<Env>, site: Site, shell: Shell | null, { first }: WrittenState): Promise<string> {
  const thread = shell?.layout === 'thread' && c.req.query('message') === undefined ? first?.thread : undefined
  if (!thread || !site.drawing) return ''
  try {
    return (await site.drawing()).drawThread(thread.items, thread.nextCursor !== null)
  } catch (error) {
    c.var.log.error({ err: error }, 'page: the messages of a chat were not drawn')
    return ''
  }
}

const brotliOf = promisify(brotliCompress)
const gzipOf = promisify(gzip)
/** A fast compression level, because each page is compressed when it is sent. */
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The page is personal, so it is stored nowhere. */
async function sendPage(c: Context<Env>, html: string, status: 200 | 404) {
  const headers = { 'cache-control': 'no-store', vary: 'accept-encoding' }
  const encoding = encodingFor(c.req.raw.headers)
  if (!encoding) return c.html(html, status, headers)
  const body = await (encoding === 'br' ? brotliOf(html, fastBrotli) : gzipOf(html))
  c.header('content-type', 'text/html; charset=UTF-8')
  return c.body(new Uint8Array(body), status, { ...headers, 'content-encoding': encoding })
}
