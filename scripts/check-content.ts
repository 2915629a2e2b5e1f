import { readFileSync } from 'node:fs'
import { brokenLinks, readHelp } from '#server/features/help/pages.ts'
import { linksIn, readSeeds } from '#server/features/prompts/seeds.ts'
import { filesIn } from './lib/files.mjs'

/**
 * Every help page and every prompt says what it must of itself, is written in what its reader knows (Markdown,
 * variables), and its links lead somewhere.
 */

const help = readHelp('content/help')
const library = readSeeds('content/prompts')
const prompts = library.seeds.map((seed) => ({ slug: `prompts/${seed.key}`, headings: [], links: linksIn(seed) }))
const found = [
  ...help.problems.map((problem) => `help: ${problem}`),
  ...library.problems.map((problem) => `prompts: ${problem}`),
  ...brokenLinks([...help.pages, ...prompts], profileSections()).map((problem) => `link: ${problem}`),
]
for (const problem of found) console.error(`content: ${problem}`)
process.exit(found.length > 0 ? 1 : 0)

/** The parts of the profile that have an address, as its screen names them. */
function profileSections(): Set<string> {
  const sources = ['web/screens/profile.tsx', ...filesIn('web/screens/profile')].map((file) =>
    readFileSync(file, 'utf8'),
  )
  return new Set(sources.flatMap((source) => [...source.matchAll(/<Section id="([\w-]+)"/g)].map(([, id = '']) => id)))
}
