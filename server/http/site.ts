import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { PAGE_STATE_ELEMENT, type PageState } from '#contract/page.ts'
import { findScreen, type ScreenName } from '#contract/screens.ts'
import { decideVisit, type Visit } from '#contract/visit.ts'
import { escapeHtml } from '#server/lib/html.ts'
import type { App } from './route.ts'

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
}

export const noParts: PageParts = { frame: [], admin: [], screens: {} }

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

/** Serves files by name and the page for everything else; unknown routes answer 404 with the page. */
export function siteRoutes(
  app: App,
  site: Site,
  visit: (headers: Headers) => Promise<{ state: PageState; cookies: string[] }>,
) {
  app.get('*', async (c, next) => {
    const { path } = c.req
    const file = site.files.get(path)
    if (file) return sendFile(file, c.req.raw.headers)
    const place = findScreen(path)
    // An id in the address of a screen may have a dot; elsewhere a file name is a missing file.
    if (path.startsWith('/api/') || (!place && extname(path) in types)) return next()
    const { state, cookies } = await visit(c.req.raw.headers)
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
    // Shared chats are not meant for search engines.
    if (place?.screen === 'shared-id') c.header('x-robots-tag', 'noindex, nofollow')
    const shown = shownVisit(path, new URL(c.req.url).search, state)
    const links = linksTo(filesFor(shown, site.parts))
    return c.html(fillPage(site.html, state, links), place ? 200 : 404, { 'cache-control': 'no-store' })
  })
}

function sendFile(file: SiteFile, headers: Headers): Response {
  const answer = { 'content-type': file.type, 'cache-control': file.cache, etag: file.etag, vary: 'accept-encoding' }
  if (headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers: answer })
  const accepted = headers.get('accept-encoding') ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && new RegExp(`\\b${name}\\b`).test(accepted))
  const body = encoding ? file[encoding] : null
  if (!encoding || !body) return new Response(new Uint8Array(file.raw), { headers: answer })
  return new Response(new Uint8Array(body), { headers: { ...answer, 'content-encoding': encoding } })
}

/** What the page will show: it follows redirects by itself. */
function shownVisit(path: string, search: string, { user, config }: PageState): Visit {
  const visit = decideVisit(path, search, user, config.openHelp)
  return visit.type === 'redirect' ? decideVisit(visit.to, '', user, config.openHelp) : visit
}

/** Named in the page, so that the browser fetches them at once and not one after another. */
function filesFor(visit: Visit, { frame, admin, screens }: PageParts): string[] {
  if (visit.type === 'redirect') return []
  const isFramed = visit.user !== null && !(visit.type === 'show' && visit.place.layout === 'no-auth')
  return [
    ...new Set([
      ...(isFramed ? frame : []),
      ...(isFramed && visit.user?.role === 'admin' ? admin : []),
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

function fillPage(html: string, state: PageState, links: string): string {
  // «<» inside JSON could end the script element.
  const json = JSON.stringify(state).replaceAll('<', '\\u003c')
  return html
    .replace('</head>', () => `${links}</head>`)
    .replaceAll('%APP_NAME%', () => escapeHtml(state.config.appName))
    .replace(`id="${PAGE_STATE_ELEMENT}"><!--page-state-->`, () => `id="${PAGE_STATE_ELEMENT}">${json}`)
}
