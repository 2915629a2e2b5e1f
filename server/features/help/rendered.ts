import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rendered } from './markdown.ts'

/**
 * The build renders the help pages: a server that did it was busy for a second of its start. A page that differs from
 * what was built, as the one with the address of support, is rendered by the server.
 */

/** By the hash of their text. */
type Pages = Record<string, Rendered>

const fileIn = (folder: string) => join(folder, 'rendered.json')
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A rendering of these texts. The parser is loaded only for those that the build has not rendered. */
export async function findRendered(folder: string, texts: string[]): Promise<(markdown: string) => Rendered> {
  const pages = existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Pages) : {}
  const others = texts.some((text) => !pages[hashOf(text)]) ? (await import('./markdown.ts')).renderMarkdown : null
  return (markdown) => {
    const rendered = pages[hashOf(markdown)] ?? others?.(markdown)
    if (!rendered) throw new Error('A text that was not named is rendered')
    return rendered
  }
}

/** What cannot be rendered is left to the server, which reports it. */
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
