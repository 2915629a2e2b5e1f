import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { requiredText, wholeNumber } from './fields.ts'
import { idList } from './id-list.ts'

/** Keys by which a person's own programs use /v1 on the person's balance. */

export const MAX_KEY_NAME = 60
export const MAX_KEY_MODELS = 200
export const MAX_KEY_ADDRESSES = 20
/** Days that the chart of spending shows. */
export const KEY_SPENDING_DAYS = 30

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** «sym-Ab3d» and «x9Qz»: the rest is not stored. */
  prefix: z.string(),
  lastFour: z.string(),
  /** Ids of models; null for all. */
  models: z.nullable(z.array(z.string())),
  /** In symbols; null for none. */
  capDay: z.nullable(z.int()),
  capMonth: z.nullable(z.int()),
  spentToday: z.int(),
  spentMonth: z.int(),
  /** Addresses and networks it may be used from; empty for any. */
  addresses: z.array(z.string()),
  /** Personal data is masked before a model sees it. */
  maskPersonal: z.boolean(),
  expiresAt: z.nullable(z.iso.datetime()),
  lastUsedAt: z.nullable(z.iso.datetime()),
  lastUsedFrom: z.nullable(z.string()),
  endedAt: z.nullable(z.iso.datetime()),
  endedByAdmin: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeys = z.object({
  /** Usable keys first, then expired and ended ones; in each part the newest first. */
  keys: z.array(ApiKey),
  /** What programs need as the base address: «https://…/v1». */
  baseUrl: z.string(),
  /** The owner of the installation allows keys. */
  isOn: z.boolean(),
  /** How many keys that have not ended a person may have. */
  most: z.int(),
})
export type ApiKeys = z.infer<typeof ApiKeys>

const Address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'Нужен адрес или сеть, например 203.0.113.7 или 203.0.113.0/24',
})
const fields = {
  name: requiredText(MAX_KEY_NAME),
  models: z.nullable(idList(MAX_KEY_MODELS, 0).check(z.minLength(1, { error: 'Выберите хотя бы одну модель' }))),
  capDay: z.nullable(wholeNumber(1, 1_000_000_000_000)),
  capMonth: z.nullable(wholeNumber(1, 1_000_000_000_000)),
  addresses: z
    .array(Address)
    .check(z.maxLength(MAX_KEY_ADDRESSES, { error: `Не больше ${MAX_KEY_ADDRESSES} адресов и сетей` })),
  maskPersonal: z.boolean(),
  expiresAt: z.nullable(z.iso.datetime()),
}
export const ApiKeyDraft = z.strictObject({
  name: fields.name,
  models: z._default(fields.models, null),
  capDay: z._default(fields.capDay, null),
  capMonth: z._default(fields.capMonth, null),
  addresses: z._default(fields.addresses, []),
  maskPersonal: z._default(fields.maskPersonal, false),
  expiresAt: z._default(fields.expiresAt, null),
})
export type ApiKeyDraft = z.infer<typeof ApiKeyDraft>
export const ApiKeyChange = z.partial(z.strictObject(fields))
export type ApiKeyChange = z.infer<typeof ApiKeyChange>

/** What one key spent on one day, in symbols; days without spending are left out. */
export const KeySpending = z.object({ day: z.iso.date(), keyId: z.string(), symbols: z.int() })
export type KeySpending = z.infer<typeof KeySpending>

export const apiKeysApi = {
  list: endpoint('GET', '/api/keys', {
    who: 'user',
    summary: 'Свои ключи API, без самих ключей, и базовый адрес для программ',
    returns: ApiKeys,
  }),
  create: endpoint('POST', '/api/keys', {
    who: 'user',
    proof: 'fresh',
    summary: 'Создать ключ API; сам ключ показывается только в этом ответе',
    body: ApiKeyDraft,
    returns: z.object({ key: ApiKey, secret: z.string() }),
  }),
  update: endpoint('PATCH', '/api/keys/:id', {
    who: 'user',
    proof: 'fresh',
    summary: 'Изменить ключ API: только названные поля',
    body: ApiKeyChange,
    returns: ApiKey,
  }),
  end: endpoint('DELETE', '/api/keys/:id', {
    who: 'user',
    summary: 'Отключить ключ API насовсем',
    returns: ApiKey,
  }),
  endAll: endpoint('DELETE', '/api/keys', {
    who: 'user',
    summary: 'Отключить все свои ключи API насовсем',
    returns: z.object({ ended: z.int() }),
  }),
  spending: endpoint('GET', '/api/keys/spending', {
    who: 'user',
    summary: `Сколько символов списано по каждому ключу API за каждый из последних ${KEY_SPENDING_DAYS} дней`,
    returns: z.array(KeySpending),
  }),
}

const Access = z.object({ isOn: z.boolean() })

export const apiKeysAdminApi = {
  access: endpoint('GET', '/api/keys/access', {
    who: 'admin',
    summary: 'Разрешены ли ключи API',
    returns: Access,
  }),
  setAccess: endpoint('PUT', '/api/keys/access', {
    who: 'admin',
    summary: 'Разрешить или запретить ключи API для всех; запрет действует сразу',
    body: z.strictObject({ isOn: z.boolean() }),
    returns: Access,
  }),
  ofUser: endpoint('GET', '/api/users/:id/keys', {
    who: 'admin',
    summary: 'Ключи API пользователя, без самих ключей',
    returns: z.array(ApiKey),
  }),
  end: endpoint('DELETE', '/api/users/:id/keys/:keyId', {
    who: 'admin',
    summary: 'Отключить ключ API пользователя насовсем',
    returns: ApiKey,
  }),
}
