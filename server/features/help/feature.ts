import { contentPath } from '#server/lib/content.ts'
import type { Core, Feature } from '../feature.ts'
import { type Help, readHelp } from './pages.ts'
import { helpRoutes } from './routes.ts'

export const help = {
  name: 'help',
  open: async ({ settings, log }: Core, given?: Help) => {
    const read = given ?? (await readHelp(contentPath('help'), settings))
    if (read.problems.length > 0) log.warn({ problems: read.problems }, 'help: problems in the pages')
    return { handle: read, routes: (app) => helpRoutes(app, read) }
  },
} satisfies Feature<Help>
