import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { Role } from './role.ts'

export const DEFAULT_NAME_PROMPT =
  'Придумай короткое название беседы, до пяти слов, на языке собеседника. Ответь только названием, без кавычек и точки.'

/** The longest text in each field of a person's own instructions. */
export const MAX_PERSONAL_TEXT = 1500

/** The most earlier messages that are sent along with a question. */
export const MAX_HISTORY = 200

const settingFields = {
  threadModel: z.nullable(z.string()),
  threadHistory: z.boolean(),
  threadHistoryLimit: z.int().check(z.minimum(1), z.maximum(MAX_HISTORY)),
  threadGptNameEnabled: z.boolean(),
  threadGptNamePrompt: z.string().check(z.maxLength(2000)),
}
const summaryFields = {
  /** What happens when the history of a thread is long: a summary is offered, made without asking, or neither. */
  threadSummaries: z.enum(['offer', 'auto', 'never']),
}
/** Names that are masked for models, each as its owner writes it. */
export const MAX_MASKED_NAMES = 100
export const MAX_MASKED_NAME = 80
const MaskedName = z.string().check(z.trim(), z.minLength(2), z.maxLength(MAX_MASKED_NAME))

const personalFields = {
  /** False keeps the two texts but sends neither. */
  personalEnabled: z.boolean(),
  personalAbout: z.string().check(z.maxLength(MAX_PERSONAL_TEXT)),
  personalStyle: z.string().check(z.maxLength(MAX_PERSONAL_TEXT)),
}
const maskingFields = {
  /** Personal data is masked for models whose data leaves the country. */
  maskPersonal: z.boolean(),
  maskedNames: z.array(MaskedName).check(z.maxLength(MAX_MASKED_NAMES)),
}

export const Settings = z.object({
  ...settingFields,
  ...personalFields,
  ...maskingFields,
  threadSummaries: knownOr(summaryFields.threadSummaries, 'offer'),
})
export type Settings = z.infer<typeof Settings>

/** Without defaults: an omitted field must not change. */
const SettingsChange = z.partial(z.object({ ...settingFields, ...summaryFields, ...personalFields, ...maskingFields }))

type Personal = Pick<Settings, keyof typeof personalFields>

/** A person's own instructions as models get them, for the prompt and for its price alike; empty for none. */
export function personalInstructions(settings: Personal): string {
  const { personalEnabled, personalAbout, personalStyle } = settings
  const [about, style] = [personalAbout.trim(), personalStyle.trim()]
  if (!personalEnabled) return ''
  const parts = [about && `О собеседнике:\n${about}`, style && `Как отвечать собеседнику:\n${style}`]
  return parts.filter(Boolean).join('\n\n')
}

export const isPersonalField = (field: string) => field in personalFields || field in maskingFields

/** Why start symbols were withheld: given before, a disposable mailbox, too many accounts from one network. */
export const GiftRejection = z.enum(['repeated', 'disposable', 'network'])
export type GiftRejection = z.infer<typeof GiftRejection>

export const Profile = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  emailVerified: z.boolean(),
  role: knownOr(Role, 'user'),
  createdAt: z.iso.datetime(),
  Settings,
  SingleSubscription,
  /** Null for users who got the start symbols. */
  giftRejection: z.nullable(knownOr(GiftRejection, 'network')),
  /** Set for the owner of projects: then the panel loads their part. */
  hasProjects: z.optional(z.boolean()),
  /** Those outside of the archive: the panel keeps room for them while they are loaded. */
  openProjects: z.optional(z.int()),
})
export type Profile = z.infer<typeof Profile>

/** Small enough to be stored in the row; the browser scales larger images down. */
export const MAX_IMAGE_LENGTH = 100_000
export const ImageDataUrl = z
  .string()
  .check(
    z.maxLength(MAX_IMAGE_LENGTH),
    z.regex(/^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/, { error: 'Нужна картинка PNG, JPEG или WebP' }),
  )

export const ProfileChange = z.strictObject({
  name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))),
  image: z.optional(z.nullable(ImageDataUrl)),
  Settings: z.optional(SettingsChange),
})
export type ProfileChange = z.infer<typeof ProfileChange>

/** A key pair on the curve P-256, as in JWK. The browser stores the public half only. */
export const WordsKey = z.object({ x: z.string(), y: z.string(), d: z.string() })
export type WordsKey = z.infer<typeof WordsKey>

export const usersApi = {
  me: endpoint('GET', '/api/users/me', { who: 'user', summary: 'Свой профиль', returns: Profile }),
  get: endpoint('GET', '/api/users/:id', {
    who: 'user',
    summary: 'Профиль по номеру: свой, а администратору любой',
    returns: Profile,
  }),
  export: endpoint('GET', '/api/users/:id/export', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Все данные пользователя файлом: свои, а администратору любые',
    impersonation: 'refused',
    effects: true,
    answers: 'file',
  }),
  wordsKey: endpoint('GET', '/api/users/me/words-key', {
    who: 'user',
    impersonation: 'refused',
    summary: 'Ключ, которым этот браузер запечатывает неотправленное при выходе и открывает после входа',
    returns: WordsKey,
  }),
  update: endpoint('PATCH', '/api/users/:id', {
    who: 'user',
    summary: 'Изменить имя, картинку и настройки: свои, а администратору любые',
    body: ProfileChange,
    returns: Profile,
  }),
}
