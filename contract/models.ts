import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['text', 'image', 'transcription', 'embedding']),
  inputRate: z.number(),
  outputRate: z.number(),
  /** Symbols for a picture, for models that draw. */
  imagePrice: z.nullable(z.int()),
  /** Symbols for a minute of sound, for models that listen. */
  minutePrice: z.nullable(z.int()),
  contextSymbols: z.nullable(z.int()),
  maxOutputSymbols: z.nullable(z.int()),
  /** Takes pictures beside text. */
  vision: z.boolean(),
  hidden: z.boolean(),
  canUseWithAssistant: z.boolean(),
  position: z.int(),
})
export type Model = z.infer<typeof Model>

/** What only the owner sees: where a model comes from and what it costs him. */
export const AdminModel = z.extend(Model, {
  provider: z.string(),
  providerModel: z.string(),
  /** Who answers when this one cannot. */
  fallbackId: z.nullable(z.string()),
  /** Money in minor units: for a million tokens; of a model that draws or listens `costOutput` is for a thousand pieces. */
  costInput: z.nullable(z.int()),
  costOutput: z.nullable(z.int()),
  costCurrency: z.nullable(z.string()),
})
export type AdminModel = z.infer<typeof AdminModel>

export const modelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/models',
    who: 'user',
    summary: 'Модели: пользователю видимые, администратору все и со всем, что о них известно',
    returns: z.array(z.union([AdminModel, Model])),
  }),
}
