import { createSlots } from '#server/http/limits.ts'
import { apiKeys } from '../api-keys/feature.ts'
import type { Feature } from '../feature.ts'
import { createCalls } from './door.ts'
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
    return { routes: (app) => openAiRoutes(app, keys, { ...core, calls }), close: calls.close }
  },
}
