import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rendered } from './markdown.ts'

/**
 * The build renders the help pages, because rendering them delayed the start of a server by a second. The server
 * renders only pages that differ from the build, such as the one with the support address.
 */

/** Rendered pages by the hash of their text. */
type Pages = Record<string, Rendered>

const fileIn = (folder: string) => join(folder, 'rendered.json')
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The parser is loaded only if the build has not rendered all of them. */
export async function findRendered(folder: string, texts: string[]): Promise<(markdown: string) => Rendered> {
  const pages = existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Pages) : {}
  const others = texts.some((text) => !pages[hashOf(text)]) ? (await import('./markdown.ts')).renderMarkdown : null
  return (markdown) => {
    const rendered = pages[hashOf(markdown)] ?? others?.(markdown)
    if (!rendered) throw new Error('The text was not passed to findRendered')
    return rendered
  }
}

/** A page that cannot be rendered is skipped here; the server reports its error. */
export async function writeRendered(folder: string, texts: string[]): Promise<void> {
  const { renderMarkdown } = await import('./markdown.ts')
  const pages: Pages = {}
  for (const text of texts) {
    try {
      pages[hashOf(text)] = renderMarkdown(text)
    } catch {}
  }
  writeFileSync(fileIn(folder), JSON.stringify(pages))
}
