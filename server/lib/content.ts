import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In dist beside the built server, at the root of the repository when the sources are run. */
export function contentPath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'content', name)) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, 'content', name)
}

/** The lines of a list; empty ones and those with `#` are for its readers. */
export const contentLines = (name: string): string[] =>
  readFileSync(contentPath(name), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
