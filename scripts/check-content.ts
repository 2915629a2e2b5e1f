import { existsSync, readFileSync } from 'node:fs'
import { type ProfilePart, profileParts } from '#contract/profile-sections.ts'
import { brokenLinks, readHelp } from '#server/features/help/pages.ts'
import { linksIn, readSeeds } from '#server/features/prompts/seeds.ts'

/**
 * Checks that every help page and every prompt has its required fields, uses only supported Markdown and variables, and
 * has no broken links.
 */

const help = await readHelp('content/help')
const library = readSeeds('content/prompts')
const prompts = library.seeds.map((seed) => ({ slug: `prompts/${seed.key}`, headings: [], links: linksIn(seed) }))
const sources: Record<ProfilePart, string> = {
  profile: 'money-sections',
  'profile-operations': 'operations',
  'profile-keys': 'keys',
  'profile-settings': 'settings',
  'profile-account': 'account',
}

const found = [
  ...help.problems.map((problem) => `help: ${problem}`),
  ...library.problems.map((problem) => `prompts: ${problem}`),
  ...brokenLinks([...help.pages, ...prompts]).map((problem) => `link: ${problem}`),
  ...help.pages.flatMap(({ slug, images }) =>
    images.filter((image) => !existsSync(`web/public${image}`)).map((image) => `help: ${slug}: no picture ${image}`),
  ),
  ...misplacedSections(),
]
for (const problem of found) console.error(`content: ${problem}`)
process.exit(found.length > 0 ? 1 : 0)

/** Sections of the profile that are not on the screen of their part, or are missing in the table of parts. */
function misplacedSections(): string[] {
  return Object.entries(profileParts).flatMap(([part, { sections }]) => {
    const source = readFileSync(`web/features/users/screens/${sources[part as ProfilePart]}.tsx`, 'utf8')
    const shown = [...source.matchAll(/<Section\s+id="([\w-]+)"/g)].map(([, id = '']) => id)
    const known: readonly string[] = sections
    const wrong = [...shown.filter((id) => !known.includes(id)), ...known.filter((id) => !shown.includes(id))]
    return wrong.map((id) => `profile: «${id}» is not both in the table of sections and on the screen of ${part}`)
  })
}
