import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { PAGE_STATE_ELEMENT, type PageConfig, type SessionUser, type WrittenState } from '#contract/page.ts'
import { findScreen, type ScreenName } from '#contract/screens.ts'
import { initials, type Shell, shellName, slots } from '#contract/shell.ts'
import { decideVisit, isFramed, type Visit } from '#contract/visit.ts'
import { escapeHtml } from '#server/lib/html.ts'
import type { App, Env } from './route.ts'

interface SiteFile {
  type: string
  etag: string
  cache: string
  raw: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

/** The built page, held in memory so that no request waits for the disk. */
export interface Site {
  buildId: string
  html: string
  files: Map<string, SiteFile>
  parts: PageParts
}

/** The built files of the frame, of the admin panel in it, and of each screen, beside those of every page. */
export interface PageParts {
  frame: string[]
  admin: string[]
  screens: Partial<Record<ScreenName, string[]>>
  /** The layouts as HTML, by `shellName`. */
  shells: Record<string, string>
}

export const noParts: PageParts = { frame: [], admin: [], screens: {}, shells: {} }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** Reads the built page and the hashed files of the previous build, which open tabs may still request. */
export function loadSite(folder: string): Site {
  const files = new Map<string, SiteFile>()
  for (const source of [join(folder, 'previous'), join(folder, 'web')]) readInto(files, source)
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown
  const build = readJson('build.json') as { id: string }
  const parts = existsSync(join(folder, 'page-parts.json')) ? (readJson('page-parts.json') as PageParts) : noParts
  return { buildId: build.id, html: readFileSync(join(folder, 'web/index.html'), 'utf8'), files, parts }
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
      etag: `"${createHash('sha256').update(raw).digest('base64url').slice(0, 22)}"`,
      cache: address.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    })
  }
}

interface PageDeps {
  config: PageConfig
  /** Reads what the page carries. `decide` says what will be shown once it is known who asks. */
  read: (
    c: Context<Env>,
    decide: (user: SessionUser | null) => Visit,
  ) => Promise<{ state: WrittenState; visit: Visit; cookies: string[] }>
}

/** Serves files by name and the page for everything else; unknown routes answer 404 with the page. */
export function siteRoutes(app: App, site: Site, { config, read }: PageDeps) {
  app.get('*', async (c, next) => {
    const { path } = c.req
    const file = site.files.get(path)
    if (file) return sendFile(file, c.req.raw.headers)
    const place = findScreen(path)
    // An id in the address of a screen may have a dot; elsewhere a file name is a missing file.
    if (path.startsWith('/api/') || (!place && extname(path) in types)) return next()
    const { search } = new URL(c.req.url)
    const { state, visit, cookies } = await read(c, (user) => shownVisit(path, search, user, config.openHelp))
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    // Shared chats are not meant for search engines.
    if (place?.screen === 'shared-id') c.header('x-robots-tag', 'noindex, nofollow')
    const links = linksTo(filesFor(visit, site.parts))
    const html = fillPage(site.html, state, links, drawnShell(site.parts.shells, shellOf(visit, search, state), state))
    return sendPage(c, html, place ? 200 : 404)
  })
}

const brotliOf = promisify(brotliCompress)
const gzipOf = promisify(gzip)
/** Quick rather than small: it runs for each page. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The page is personal, so it is stored nowhere. */
async function sendPage(c: Context<Env>, html: string, status: 200 | 404) {
  const headers = { 'cache-control': 'no-store', vary: 'accept-encoding' }
  const encoding = encodingFor(c.req.raw.headers)
  if (!encoding) return c.html(html, status, headers)
  const body = await (encoding === 'br' ? brotliOf(html, quickly) : gzipOf(html))
  c.header('content-type', 'text/html; charset=UTF-8')
  return c.body(new Uint8Array(body), status, { ...headers, 'content-encoding': encoding })
}

function encodingFor(headers: Headers, has: (name: 'br' | 'gzip') => boolean = () => true) {
  const accepted = headers.get('accept-encoding') ?? ''
  return (['br', 'gzip'] as const).find((name) => has(name) && new RegExp(`\\b${name}\\b`).test(accepted))
}

function sendFile(file: SiteFile, headers: Headers): Response {
  const answer = { 'content-type': file.type, 'cache-control': file.cache, etag: file.etag, vary: 'accept-encoding' }
  if (headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers: answer })
  const encoding = encodingFor(headers, (name) => file[name] !== null)
  const body = encoding ? file[encoding] : null
  if (!encoding || !body) return new Response(new Uint8Array(file.raw), { headers: answer })
  return new Response(new Uint8Array(body), { headers: { ...answer, 'content-encoding': encoding } })
}

/** What the page will show: it follows redirects by itself. */
function shownVisit(path: string, search: string, user: SessionUser | null, openHelp: readonly string[]): Visit {
  const visit = decideVisit(path, search, user, openHelp)
  return visit.type === 'redirect' ? decideVisit(visit.to, '', user, openHelp) : visit
}

/** Named in the page, so that the browser fetches them at once and not one after another. */
function filesFor(visit: Visit, { frame, admin, screens }: PageParts): string[] {
  if (visit.type === 'redirect') return []
  const hasFrame = isFramed(visit)
  return [
    ...new Set([
      ...(hasFrame ? frame : []),
      ...(hasFrame && visit.user?.role === 'admin' ? admin : []),
      ...(visit.type === 'show' ? (screens[visit.place.screen] ?? []) : []),
    ]),
  ]
}

const linksTo = (files: string[]) =>
  files
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="${file}">`
        : `<link rel="modulepreload" crossorigin href="${file}">`,
    )
    .join('')

/** The layout that is shown until the scripts run. None where banners would move it. */
function shellOf(visit: Visit, search: string, { user, first }: WrittenState): Shell | null {
  if (!isFramed(visit)) return visit.type === 'show' ? { layout: 'no-auth' } : null
  if (!user || user.impersonated || visit.type === 'redirect') return null
  if (visit.type === 'show' && visit.path.startsWith('/admin')) return null
  const known = { isNamed: user.name !== '', isAdmin: user.role === 'admin' }
  const screen = visit.type === 'show' ? visit.place.screen : null
  if (screen === 'index' && search === '')
    return { layout: 'home', ...known, isEmpty: first?.threads?.items.length === 0 }
  return { layout: screen === 'threads-id' ? 'thread' : 'frame', ...known }
}

function drawnShell(shells: Record<string, string>, shell: Shell | null, { config, user }: WrittenState): string {
  const html = shell && shells[shellName(shell)]
  if (!html) return ''
  const [firstName = '', ...otherNames] = (user?.name ?? '').trim().split(/\s+/)
  const values: Record<string, string> = {
    [slots.appName]: config.appName,
    [slots.firstName]: firstName,
    [slots.otherNames]: otherNames.join(' '),
    [slots.email]: user?.email ?? '',
    [slots.initials]: user?.image ? '' : initials(user?.name || user?.email || ''),
  }
  const filled = html.replace(/%[A-Z_]+%/g, (slot) => escapeHtml(values[slot] ?? slot))
  return `<div id="shell">${filled}</div>`
}

function fillPage(html: string, state: WrittenState, links: string, shell: string): string {
  // «<» inside JSON could end the script element.
  const json = JSON.stringify(state).replaceAll('<', '\\u003c')
  return html
    .replace('</head>', () => `${links}</head>`)
    .replaceAll('%APP_NAME%', () => escapeHtml(state.config.appName))
    .replace('__BUILD_ID__', () => encodeURIComponent(state.config.buildId))
    .replace('<!--shell-->', () => shell)
    .replace(`id="${PAGE_STATE_ELEMENT}"><!--page-state-->`, () => `id="${PAGE_STATE_ELEMENT}">${json}`)
}
