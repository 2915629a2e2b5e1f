import { readFileSync } from 'node:fs'
import { brokenLinks } from '#server/features/help/links.ts'
import { readHelp } from '#server/features/help/pages.ts'
import { filesIn } from './lib/files.mjs'

/** Every help page says what it must of itself, is written in what the renderer knows, and its links lead somewhere. */

const { pages, problems } = readHelp('content/help')
const found = [...problems, ...brokenLinks(pages, profileSections())]
for (const problem of found) console.error(`content/help: ${problem}`)
process.exit(found.length > 0 ? 1 : 0)

/** The parts of the profile that have an address, as its screen names them. */
function profileSections(): Set<string> {
  const sources = ['web/screens/profile.tsx', ...filesIn('web/screens/profile')].map((file) =>
    readFileSync(file, 'utf8'),
  )
  return new Set(sources.flatMap((source) => [...source.matchAll(/<Section id="([\w-]+)"/g)].map(([, id = '']) => id)))
}
