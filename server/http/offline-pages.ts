import { createHash } from 'node:crypto'
import type { PageConfig } from '#contract/page.ts'
import type { ScreenName } from '#contract/screens.ts'
import { type FramedLayout, shellName } from '#contract/shell.ts'
import { type PageParts, writePage } from './page-html.ts'
import { type SiteFile, writtenFile } from './site-file.ts'

export interface PageWorker {
  /** Otherwise the worker deletes what browsers have stored, and itself. */
  keeps: boolean
  script: string
}

interface Source {
  html: string
  parts: PageParts
  worker: PageWorker
}

const SCRIPT = 'text/javascript; charset=utf-8'
const layouts: [FramedLayout, ScreenName | null][] = [
  ['home', 'index'],
  ['thread', 'threads-id'],
  ['frame', null],
]

/** What browsers store for visits without a network: the service worker, and pages without data of any user. */
export function offlinePages({ html, parts, worker }: Source, config: PageConfig): Map<string, SiteFile> {
  const workerWith = (stored: object | null) =>
    ['/worker.js', writtenFile(SCRIPT, `const STORED=${JSON.stringify(stored)};\n${worker.script}`)] as const
  if (!worker.keeps) return new Map([workerWith(null)])
  const filesOf = (screen: ScreenName | null) => [...parts.frame, ...((screen && parts.screens[screen]) ?? [])]
  const pages = layouts.map(([layout, screen]) => {
    const content = {
      files: [...new Set(filesOf(screen))],
      shell: { layout, isNamed: false, isAdmin: false },
      state: { config, user: null, offline: true as const },
    }
    return { name: shellName(content.shell), page: writePage(html, parts, content) }
  })
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/.+?)"/g)].flatMap(([, file]) => file ?? [])
  const boot = `/boot.js?${encodeURIComponent(config.buildId)}`
  const files = [...new Set([boot, ...named, ...layouts.flatMap(([, screen]) => filesOf(screen)), ...parts.offline])]
  const version = createHash('sha256')
    .update(JSON.stringify([pages, files]))
    .digest('hex')
    .slice(0, 12)
  const addressOf = (name: string) => `/offline/${version}/${name}`
  const addresses = Object.fromEntries(pages.map(({ name }) => [name, addressOf(name)]))
  return new Map([
    workerWith({ version, pages: addresses, files }),
    ...pages.map(({ name, page }) => [addressOf(name), writtenFile('text/html; charset=utf-8', page)] as const),
  ])
}
