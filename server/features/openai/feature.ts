import { createSlots } from '#server/http/limits.ts'
import { keyFor } from '#server/lib/secrets.ts'
import { apiKeys } from '../api-keys/feature.ts'
import { workingKeys } from '../api-keys/find-key.ts'
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
    const { totals } = settings.limits
    const takeSlot = createSlots('program-calls', totals['program-calls'], TOO_MANY)
    const calls = createCalls(takeSlot, (ids) => workingKeys(core.db, ids))
    const repeatSecret = keyFor(settings.secret, 'answers of programs')
    const repeatBytes = totals['program-answers-megabytes'] * 1024 * 1024
    const deps = { ...core, keys, calls, repeatSecret, repeatBytes, fetchPage: features.find(webSearch)?.fetchPage }
    return { routes: (app) => openAiRoutes(app, deps), jobs: [forgetAnswersJob(core.db)], close: calls.close }
  },
}
