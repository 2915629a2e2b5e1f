import type { Core, Feature } from '../feature.ts'
import { help } from '../help/feature.ts'
import { openWeb, type Web } from './deps.ts'
import { webSearchRoutes } from './quotes.ts'

export const webSearch = {
  name: 'web-search',
  isOptional: true,
  open: ({ settings, features }: Core, given?: Web) => {
    const { search, appUrl, wantsDemo, modelProviders } = settings
    const isDemo = wantsDemo || modelProviders.length === 0
    const web = given ?? openWeb({ ...search, isDemo, appUrl }, features.get(help).pages)
    return { handle: web, routes: webSearchRoutes }
  },
} satisfies Feature<Web>
