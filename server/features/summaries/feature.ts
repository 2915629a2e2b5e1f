import type { Feature } from '../feature.ts'
import { filesForModel } from '../files/files.ts'
import { callerForAuto } from './change.ts'
import { makeWhenDue, type SummaryDeps } from './make.ts'
import { summaryRoutes } from './routes.ts'

export const summaries: Feature = {
  name: 'summaries',
  isOptional: true,
  open: ({ db, publish, providers, instance, files, hooks }) => {
    const readFiles: SummaryDeps['readFiles'] = (ctx, ids) => filesForModel(ctx, files.storage, ids)
    const deps = { providers, instance, readFiles }
    hooks.afterAnswer.push(async (answer) => {
      const caller = answer.followUp.summary ? await callerForAuto(db, publish, answer) : null
      if (caller) await makeWhenDue(caller, deps, answer.threadId)
    })
    return { routes: (app) => summaryRoutes(app, deps) }
  },
}
