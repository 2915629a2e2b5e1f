import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ImageSkills } from './image-skills.ts'
import { knownOr } from './known-or.ts'

/** How much a model may think before it answers; `usual` leaves it to the model. */
export const Thinking = z.enum(['none', 'usual', 'more', 'most'])
export type Thinking = z.infer<typeof Thinking>

/** A code of ISO 3166, such as RU. */
export const Country = z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Нужны две латинские буквы страны' }))

export const ModelKind = z.enum(['text', 'image', 'transcription', 'embedding', 'scan'])

/**
 * How a transcription model tells who spoke: OpenAI's `diarized_json`, labels in its segments, a second request for
 * them, or the own way of a service that takes whole recordings.
 */
export const SpeakerMode = z.enum(['diarized_json', 'segments', 'diarization', 'service'])
export type SpeakerMode = z.infer<typeof SpeakerMode>

export const Model = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** An unknown kind of a newer release is read as an embedding model, which people cannot choose. */
  kind: knownOr(ModelKind, 'embedding'),
  inputRate: z.number(),
  outputRate: z.number(),
  /** Symbols per symbol of thought; 0 when thoughts are part of the price. */
  thoughtRate: z._default(z.number(), 0),
  /** The rate of input that the provider had cached; null when it costs as much as any other. */
  cachedRate: z._default(z.nullable(z.number()), null),
  /** Symbols per image, for image models. */
  imagePrice: z.nullable(z.int()),
  /** Symbols per minute, for transcription models. */
  minutePrice: z.nullable(z.int()),
  /** Null for transcription models that do not tell who spoke; an unknown way of a newer release tells it too. */
  speakers: z._default(z.nullable(knownOr(SpeakerMode, 'service')), null),
  /** The most people that it tells apart; null when it has no limit of its own. */
  maxSpeakers: z._default(z.nullable(z.int()), null),
  /** Symbols per page, for models that read scans. */
  pagePrice: z._default(z.nullable(z.int()), null),
  /** Null for other kinds of models. */
  imageSkills: z._default(z.nullable(ImageSkills), null),
  contextSymbols: z.nullable(z.int()),
  maxOutputSymbols: z.nullable(z.int()),
  vision: z.boolean(),
  /** The amount of thinking can be chosen. */
  thinks: z._default(z.boolean(), false),
  /** Where the data of requests goes; null when unknown. */
  country: z._default(z.nullable(z.string()), null),
  hidden: z.boolean(),
  canUseWithAssistant: z.boolean(),
  position: z.int(),
})
export type Model = z.infer<typeof Model>

export const AdminModel = z.extend(Model, {
  provider: z.string(),
  providerModel: z.string(),
  /** `imageSkills` were set by the owner; otherwise they are the usual ones of such a model. */
  hasOwnSkills: z._default(z.boolean(), false),
  fallbackId: z.nullable(z.string()),
  /** The day on which the provider switches it off; null when none is known. */
  retiresOn: z._default(z.nullable(z.iso.date()), null),
  /** The model that people are moved to on that day. */
  successorId: z._default(z.nullable(z.string()), null),
  /** In minor units per million tokens; for images and transcription `costOutput` is per thousand images or minutes. */
  costInput: z.nullable(z.int()),
  costOutput: z.nullable(z.int()),
  /** Null when it costs as much as any other. */
  costCached: z._default(z.nullable(z.int()), null),
  costCurrency: z.nullable(z.string()),
})
export type AdminModel = z.infer<typeof AdminModel>

/** Figures of a model's past answers: the user's own, or those of all users while the user has few. */
export const UsualCost = z.object({
  modelId: z.string(),
  /** The length of an answer in symbols: the middle half lies between these. */
  answer: z.object({ low: z.int(), high: z.int() }),
  /** What a question with its answer costs on average. */
  exchange: z.int(),
})
export type UsualCost = z.infer<typeof UsualCost>

export const modelsApi = {
  list: endpoint('GET', '/api/models', {
    who: 'user',
    summary: 'Модели: пользователю видимые, администратору все и со всем, что о них известно',
    returns: z.array(z.union([AdminModel, Model])),
  }),
  usualCosts: endpoint('GET', '/api/models/usual-costs', {
    who: 'user',
    summary: 'Сколько обычно стоит ответ каждой видимой модели: по своим последним ответам, пока их мало — по общим',
    returns: z.array(UsualCost),
  }),
}
