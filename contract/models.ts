import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(['text', 'image', 'transcription', 'embedding']),
  inputRate: z.number(),
  outputRate: z.number(),
  /** Symbols per image, for image models. */
  imagePrice: z.nullable(z.int()),
  /** Symbols per minute, for transcription models. */
  minutePrice: z.nullable(z.int()),
  contextSymbols: z.nullable(z.int()),
  maxOutputSymbols: z.nullable(z.int()),
  /** Accepts images as input. */
  vision: z.boolean(),
  hidden: z.boolean(),
  canUseWithAssistant: z.boolean(),
  position: z.int(),
})
export type Model = z.infer<typeof Model>

/** Fields for admins only: the provider and the cost of the model. */
export const AdminModel = z.extend(Model, {
  provider: z.string(),
  providerModel: z.string(),
  /** The model that is used when this one fails. */
  fallbackId: z.nullable(z.string()),
  /** In minor units per million tokens; for image and transcription models `costOutput` is per thousand images or minutes. */
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
