import { legalAdminApi, legalApi } from '#contract/legal.ts'
import { type App, route } from '#server/http/route.ts'
import { consentsCsv, giveConsents, neededConsents, ownConsents, withdrawConsent } from './consents.ts'
import { editDocument, listDocuments, publishDocument, readDocument } from './documents.ts'

export function legalRoutes(app: App) {
  route(app, legalApi.read, (ctx, { params, query }) => readDocument(ctx, params.kind, query.version), {
    limit: 'public',
  })
  route(app, legalApi.needed, ({ db, user }) => neededConsents(db, user.id))
  route(app, legalApi.give, (ctx, { body }) => giveConsents(ctx, body.documents), { limit: 'money' })
  route(app, legalApi.mine, (ctx) => ownConsents(ctx))
  route(app, legalApi.withdraw, (ctx, { body }) => withdrawConsent(ctx, body.kind), { limit: 'money' })

  route(app, legalAdminApi.list, (ctx) => listDocuments(ctx))
  route(app, legalAdminApi.csv, (ctx) => consentsCsv(ctx), { limit: 'downloads' })
  route(app, legalAdminApi.get, (ctx, { params }) => editDocument(ctx, params.kind))
  route(app, legalAdminApi.publish, (ctx, { params, body }) => publishDocument(ctx, params.kind, body))
}
