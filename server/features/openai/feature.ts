import { createSlots } from '#server/http/limits.ts'
import { keyFor } from '#server/lib/secrets.ts'
import { apiKeys } from '../api-keys/feature.ts'
import type { Feature } from '../feature.ts'
import { webSearch } from '../web-search/feature.ts'
import { createCalls } from './door.ts'
import { forgetAnswersJob } from './repeats.ts'
import { openAiRoutes } from './routes.ts'

const TOO_MANY = 'Сразу выполняется слишком много запросов программ. Дождитесь хотя бы одного.'

export const openai: Feature = {
  name: 'openai',
  isOptional: true,
  open: (core) => {
    const { features, settings } = core
    const keys = features.find(apiKeys)
    if (!keys) return {}
    const calls = createCalls(createSlots('program-calls', settings.limits.totals['program-calls'], TOO_MANY))
    const repeatSecret = keyFor(settings.secret, 'answers of programs')
    const deps = { ...core, keys, calls, repeatSecret, fetchPage: features.find(webSearch)?.fetchPage }
    return { routes: (app) => openAiRoutes(app, deps), jobs: [forgetAnswersJob(core.db)], close: calls.close }
  },
}
