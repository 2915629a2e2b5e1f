import type { PageConfig } from '#contract/page.ts'
import { socialProviders } from '#contract/social-providers.ts'
import { factorChecks } from '#server/auth/second-factor/proof.ts'
import type { Core, Feature } from '../feature.ts'
import { help } from '../help/feature.ts'
import { openSlugs } from '../help/pages.ts'
import { webSearch } from '../web-search/feature.ts'
import { createFactsReader, createPageReader } from './page-state.ts'
import { pageRoutes } from './routes.ts'

export const page = {
  name: 'page',
  open: (core: Core) => {
    const config = configOf(core)
    const readFacts = createFactsReader({ ...core, factors: factorChecks({ ...core.settings, db: core.db }) })
    const read = createPageReader(readFacts, { page: config, providers: core.providers, changes: core.hub.changes })
    return {
      handle: { config, read },
      routes: (app) => pageRoutes(app, config, (headers) => readFacts(headers, async () => null)),
    }
  },
} satisfies Feature

function configOf({ settings, features }: Core): PageConfig {
  const web = features.find(webSearch)
  return {
    appName: settings.appName,
    buildId: settings.buildId,
    socialProviders: settings.socialProviders.map(({ id }) => ({ id, name: socialProviders[id] })),
    supportUrl: settings.supportUrl,
    mailboxUrl: settings.smtp ? null : '/dev/mail',
    openHelp: openSlugs(features.get(help).pages),
    webSearch: web?.search ? { price: web.price } : null,
    country: settings.country,
    analytics: settings.analytics,
  }
}
