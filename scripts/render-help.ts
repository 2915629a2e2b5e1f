import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameSupport, splitPage } from '#server/features/help/pages.ts'
import { writeRendered } from '#server/features/help/rendered.ts'

/** Renders the help pages of a build, so that its servers need not. Run: render-help.ts <folder> */

const [folder = ''] = process.argv.slice(2)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
// Without a support address; where one is set, the server renders the page that names it.
await writeRendered(
  folder,
  files.map((name) => splitPage(nameSupport(readFileSync(join(folder, name), 'utf8'), null)).text),
)
