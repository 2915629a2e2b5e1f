import { createSlots } from '#server/http/limits.ts'
import { type Core, callAll, type Feature } from '../feature.ts'
import { filesForModel } from '../files/files.ts'
import { knowledge } from '../knowledge/feature.ts'
import { findPassages } from '../knowledge/retrieve.ts'
import { noWeb } from '../web-search/deps.ts'
import { webSearch } from '../web-search/feature.ts'
import { stopAnswersOf } from './ask.ts'
import { openAnswers } from './deps.ts'
import { createAnswerRecovery } from './recover.ts'
import { answerRoutes } from './routes.ts'

const TOO_MANY_STREAMS = 'Открыто слишком много ответов сразу. Закройте лишние вкладки и повторите.'

export const answers = {
  name: 'answers',
  open: (core: Core) => {
    const { hooks, features, files, log, settings } = core
    const passages = features.get(knowledge)
    const opened = openAnswers({
      ...core,
      storage: files.storage,
      web: { ...(features.find(webSearch) ?? noWeb), pool: files.pool, log },
      maxRunning: settings.maxRunningAnswers,
      afterAnswer: callAll(hooks.afterAnswer),
      onOutOfSymbols: callAll(hooks.outOfSymbols),
      readFiles: (ctx, ids) => filesForModel(ctx, files.storage, ids),
      findPassages: (ctx, question) => findPassages(ctx.db, passages, question),
    })
    const most = settings.limits.totals['open-streams']
    const handle = { ...opened, takeStream: createSlots('open-streams', most, TOO_MANY_STREAMS) }
    hooks.ban.push((userId) => stopAnswersOf(core, userId))
    hooks.userDeletion.push(({ id }) => stopAnswersOf(core, id))
    return {
      handle,
      routes: (app) => answerRoutes(app, handle),
      recover: { kind: 'answer', recover: createAnswerRecovery(core) },
      close: opened.close,
    }
  },
} satisfies Feature
