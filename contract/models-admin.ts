import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anyNumber, Currency, moneyFrom, NewOrder, optionalText, requiredText, wholeNumber } from './fields.ts'
import { ImageSkills } from './image-skills.ts'
import { AdminModel, ModelKind, SpeakerMode } from './models.ts'

const Rate = anyNumber(0, 1000)
const Count = wholeNumber(1, 1_000_000_000)
const fields = {
  name: requiredText(100),
  description: optionalText(1000),
  kind: ModelKind,
  provider: requiredText(50),
  providerModel: requiredText(200),
  inputRate: Rate,
  outputRate: Rate,
  thoughtRate: Rate,
  cachedRate: z.nullable(Rate),
  imagePrice: z.nullable(Count),
  minutePrice: z.nullable(Count),
  speakers: z.nullable(SpeakerMode),
  maxSpeakers: z.nullable(wholeNumber(2, 20)),
  pagePrice: z.nullable(Count),
  imageSkills: z.nullable(ImageSkills),
  contextSymbols: z.nullable(Count),
  maxOutputSymbols: z.nullable(Count),
  vision: z.boolean(),
  thinks: z.boolean(),
  hidden: z.boolean(),
  canUseWithAssistant: z.boolean(),
  position: z.int(),
  fallbackId: z.nullable(z.string()),
  retiresOn: z.nullable(z.iso.date()),
  successorId: z.nullable(z.string()),
  costInput: z.nullable(moneyFrom(0)),
  costOutput: z.nullable(moneyFrom(0)),
  costCached: z.nullable(moneyFrom(0)),
  costCurrency: z.nullable(Currency),
}

export const ModelDraft = z.strictObject({
  ...fields,
  id: z
    .string()
    .check(
      z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { error: 'Строчные латинские буквы, цифры, точка и дефис, до 64 знаков' }),
    ),
  description: z._default(fields.description, ''),
  kind: z._default(fields.kind, 'text'),
  inputRate: z._default(Rate, 1),
  outputRate: z._default(Rate, 1),
  thoughtRate: z._default(Rate, 0),
  cachedRate: z._default(fields.cachedRate, null),
  imagePrice: z._default(fields.imagePrice, null),
  minutePrice: z._default(fields.minutePrice, null),
  speakers: z._default(fields.speakers, null),
  maxSpeakers: z._default(fields.maxSpeakers, null),
  pagePrice: z._default(fields.pagePrice, null),
  imageSkills: z._default(fields.imageSkills, null),
  contextSymbols: z._default(fields.contextSymbols, null),
  maxOutputSymbols: z._default(fields.maxOutputSymbols, null),
  vision: z._default(fields.vision, false),
  thinks: z._default(fields.thinks, false),
  hidden: z._default(fields.hidden, false),
  canUseWithAssistant: z._default(fields.canUseWithAssistant, false),
  position: z._default(fields.position, 0),
  fallbackId: z._default(fields.fallbackId, null),
  retiresOn: z._default(fields.retiresOn, null),
  successorId: z._default(fields.successorId, null),
  costInput: z._default(fields.costInput, null),
  costOutput: z._default(fields.costOutput, null),
  costCached: z._default(fields.costCached, null),
  costCurrency: z._default(fields.costCurrency, null),
})
export type ModelDraft = z.infer<typeof ModelDraft>
export const ModelChange = z.partial(z.strictObject(fields))
export type ModelChange = z.infer<typeof ModelChange>

/** A token of Russian or English text has about this many symbols; used to estimate costs. */
export const SYMBOLS_PER_TOKEN = 3

/** The cost of images and minutes is given for this many, because one costs a fraction of a kopeck. */
export const UNITS_PER_COST = 1000

export const ProviderKind = z.enum([
  'demo',
  'openai',
  'yandex',
  'gigachat',
  'anthropic',
  'gemini',
  'speechkit',
  'salute',
])
export type ProviderKind = z.infer<typeof ProviderKind>

const Provider = z.object({
  name: z.string(),
  baseUrl: z.nullable(z.string()),
  kind: ProviderKind,
  modelKinds: z.array(ModelKind),
  /** Where the data of requests goes; null when unknown. */
  country: z._default(z.nullable(z.string()), null),
})
export type Provider = z.infer<typeof Provider>

/** A page of 1.0 cannot show kinds that it does not know, so new ones are in fields that it does not read. */
const ListedProvider = z.extend(Provider, {
  /** Null when `kind` says it. */
  newKind: z._default(z.nullable(ProviderKind), null),
  newModelKinds: z._default(z.array(ModelKind), []),
})
export type ListedProvider = z.infer<typeof ListedProvider>

const OfferedModel = z.object({ id: z.string(), shutdownDate: z.nullable(z.string()) })
export type OfferedModel = z.infer<typeof OfferedModel>

export const modelsAdminApi = {
  create: endpoint('POST', '/api/models', {
    who: 'admin',
    summary: 'Добавить модель',
    body: ModelDraft,
    returns: AdminModel,
  }),
  update: endpoint('PATCH', '/api/models/:id', {
    who: 'admin',
    summary: 'Изменить модель',
    body: ModelChange,
    returns: AdminModel,
  }),
  reorder: endpoint('POST', '/api/models/order', {
    who: 'admin',
    summary: 'Задать порядок моделей: все номера подряд; если список успел измениться — 409',
    body: NewOrder,
    returns: z.array(AdminModel),
  }),
  delete: endpoint('DELETE', '/api/models/:id', {
    who: 'admin',
    summary: 'Удалить модель; списания по ней остаются в операциях',
    returns: AdminModel,
  }),
  providers: endpoint('GET', '/api/providers', {
    who: 'admin',
    summary: 'Подключённые провайдеры моделей; ключи не показываются',
    returns: z.array(ListedProvider),
  }),
  offer: endpoint('GET', '/api/providers/:name/models', {
    effects: true,
    who: 'admin',
    summary: 'Какие модели предлагает провайдер, и когда их отключат, если он об этом говорит',
    returns: z.array(OfferedModel),
  }),
  check: endpoint('POST', '/api/providers/:name/check', {
    who: 'admin',
    summary: 'Проверить модель настоящим коротким вопросом',
    body: z.strictObject({ providerModel: fields.providerModel }),
    returns: z.object({ ms: z.int(), text: z.string() }),
  }),
}
