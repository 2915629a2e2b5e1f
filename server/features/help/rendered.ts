import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rendered, renderMarkdown } from './markdown.ts'

/**
 * The build renders the help pages: a server that did it was busy for a second of its start. A page that differs from
 * what was built, as the one with the address of support, is rendered by the server.
 */

/** By the hash of their text. */
type Pages = Record<string, Rendered>

const fileIn = (folder: string) => join(folder, 'rendered.json')
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A rendering that knows the built pages of the folder, if there are any. */
export function findRendered(folder: string): (markdown: string) => Rendered {
  if (!existsSync(fileIn(folder))) return renderMarkdown
  const pages = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Pages
  return (markdown) => pages[hashOf(markdown)] ?? renderMarkdown(markdown)
}

/** What cannot be rendered is left to the server, which reports it. */
export function writeRendered(folder: string, texts: string[]): void {
  const pages: Pages = {}
  for (const text of texts) {
    try {
      pages[hashOf(text)] = renderMarkdown(text)
    } catch {}
  }
  writeFileSync(fileIn(folder), JSON.stringify(pages))
}
