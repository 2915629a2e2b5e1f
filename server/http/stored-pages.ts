import { createHash } from 'node:crypto'
import type { PageConfig } from '#contract/page.ts'
import type { ScreenName } from '#contract/screens.ts'
import { type FramedLayout, type Shell, shellName } from '#contract/shell.ts'
import { type PageParts, writePage } from './page-html.ts'
import { type SiteFile, writtenFile } from './site-file.ts'

/** The worker that keeps the page in the browser, or the one that removes it. */
export interface PageWorker {
  keeps: boolean
  script: string
}

interface Source {
  html: string
  parts: PageParts
  worker: PageWorker
}

/** What browsers keep for the next visit: the worker, and the layouts without data of any user. */
export interface StoredPages {
  files: Map<string, SiteFile>
  /** The name of the sent layout, by which the worker sees whether its stored one fits; null if none is stored. */
  nameOf: (shell: Shell | null) => string | null
}

const WORKER = '/worker.js'
const SCRIPT = 'text/javascript; charset=utf-8'
const layouts: [FramedLayout, ScreenName | null][] = [
  ['home', 'index'],
  ['thread', 'threads-id'],
  ['frame', null],
]

/** When switched off, browsers get a worker that deletes the stored pages and unregisters itself. */
export function storePages({ html, parts, worker }: Source, config: PageConfig): StoredPages {
  if (!worker.keeps) return { files: new Map([[WORKER, writtenFile(SCRIPT, worker.script)]]), nameOf: () => null }
  const pages = new Map<string, string>()
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/.+?)"/g)].map(([, file]) => file)
  for (const [layout, screen] of layouts)
    for (const isAdmin of [false, true]) {
      const shell = { layout, isNamed: false, isAdmin }
      const files = [...new Set([...parts.frame, ...((screen && parts.screens[screen]) ?? [])])]
      pages.set(
        shellName(shell),
        writePage(html, parts, { files, shell, state: { config, user: null, offline: true } }),
      )
    }
  const version = createHash('sha256')
    .update(JSON.stringify([worker.script, config, parts, [...pages]]))
    .digest('base64url')
    .slice(0, 12)
  const folder = `/stored/${version}`
  const stored = {
    ...{ version, folder, build: config.buildId },
    files: [
      ...new Set([
        ...[...pages.keys()].map((name) => `${folder}/${name}`),
        `/reload-fresh.js?${version}`,
        ...[...named, ...parts.frame, ...parts.offline],
        ...layouts.flatMap(([, screen]) => (screen && parts.screens[screen]) ?? []),
      ]),
    ],
    screens: parts.screens,
  }
  return {
    files: new Map([
      [WORKER, writtenFile(SCRIPT, `const STORED=${JSON.stringify(stored)};\n${worker.script}`)],
      ...[...pages].map(
        ([name, page]) => [`${folder}/${name}`, writtenFile('text/html; charset=utf-8', page)] as const,
      ),
    ]),
    nameOf: (shell) =>
      shell && 'isAdmin' in shell
        ? `${version}/${shellName({ layout: shell.layout, isNamed: false, isAdmin: shell.isAdmin })}`
        : null,
  }
}
