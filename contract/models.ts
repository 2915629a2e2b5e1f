import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['text', 'image', 'transcription', 'embedding']),
  inputRate: z.number(),
  outputRate: z.number(),
  hidden: z.boolean(),
  canUseWithAssistant: z.boolean(),
  position: z.int(),
})
export type Model = z.infer<typeof Model>

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/models',
    who: 'user',
    summary: 'Модели: пользователю видимые, администратору все',
    returns: z.array(Model),
  }),
}
