import type { ProviderKind as AnyKind } from '#contract/models-admin.ts'

export type ProviderKind = Exclude<AnyKind, 'demo'>

/** What a provider can be asked for, beside its list of models. */
export type Endpoint = 'chat' | 'images' | 'transcriptions' | 'embeddings'

/** How a key is sent: `Authorization: Bearer …`, `Authorization: Api-Key …`, or the key alone. */
export type AuthForm = 'bearer' | 'api-key' | 'raw'

/**
 * How the depth of thinking is sent: `reasoning_effort`, OpenRouter's `reasoning`, `thinking` that is only on or off,
 * the vendor's own way, or not at all.
 */
export type ThinkingStyle = 'effort' | 'openrouter' | 'toggle' | 'native' | 'off'

/** The settings of one provider. What is absent comes from the profile of its kind. */
export interface ProviderKeys {
  name: string
  baseUrl: string
  apiKey: string | null
  kind?: ProviderKind
  auth?: AuthForm
  headers?: Record<string, string>
  /** Yandex: the folder. */
  project?: string
  /** PEM of root certificates that are trusted for this provider beside the usual ones. */
  ca?: string
  /** GigaChat and SaluteSpeech: the scope of the token, and the address that issues it. */
  scope?: string
  tokenUrl?: string
  thinking?: ThinkingStyle
  /** A code of ISO 3166: where the data of requests goes; absent or null when unknown. */
  country?: string | null
}

export interface Profile {
  /** Null when the owner has to configure it. */
  baseUrl: string | null
  /** Where the data goes, as an ISO 3166 code; null when the kind does not say. */
  country: string | null
  speaks: readonly Endpoint[]
  auth: AuthForm | 'x-api-key' | 'x-goog-api-key' | 'sber'
  /** The usual scope of a token of Sber. */
  scope?: string
  /** Sent with every request. */
  headers: Record<string, string>
  thinking: ThinkingStyle
  limit: 'max_completion_tokens' | 'max_tokens'
  /** The provider counts the tokens of a stream only on request. */
  asksForUsage: boolean
  takesImages: boolean
  /** How functions of the caller are sent: OpenAI's `tools`, or GigaChat's `functions`. */
  tools: 'tools' | 'functions'
  /** JSON of a given shape. */
  takesFormat: boolean
}

const compatible = {
  headers: {},
  thinking: 'effort',
  limit: 'max_completion_tokens',
  asksForUsage: true,
  takesImages: true,
  tools: 'tools',
  takesFormat: true,
} as const

export const profiles: Record<ProviderKind, Profile> = {
  openai: {
    ...compatible,
    baseUrl: null,
    country: null,
    speaks: ['chat', 'images', 'transcriptions', 'embeddings'],
    auth: 'bearer',
  },
  yandex: {
    ...compatible,
    baseUrl: 'https://ai.api.cloud.yandex.net/v1',
    country: 'RU',
    speaks: ['chat', 'embeddings'],
    auth: 'api-key',
    limit: 'max_tokens',
  },
  gigachat: {
    ...compatible,
    baseUrl: 'https://gigachat.devices.sberbank.ru/api/v1',
    country: 'RU',
    speaks: ['chat', 'embeddings'],
    auth: 'sber',
    scope: 'GIGACHAT_API_PERS',
    limit: 'max_tokens',
    asksForUsage: false,
    takesImages: false,
    tools: 'functions',
    takesFormat: false,
  },
  anthropic: {
    ...compatible,
    baseUrl: 'https://api.anthropic.com/v1',
    country: 'US',
    speaks: ['chat'],
    auth: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
    thinking: 'native',
  },
  gemini: {
    ...compatible,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    country: 'US',
    speaks: ['chat', 'images'],
    auth: 'x-goog-api-key',
    thinking: 'native',
  },
  speechkit: {
    ...compatible,
    baseUrl: 'https://stt.api.cloud.yandex.net/stt/v3',
    country: 'RU',
    speaks: ['transcriptions'],
    auth: 'api-key',
  },
  salute: {
    ...compatible,
    baseUrl: 'https://smartspeech.sber.ru/rest/v1',
    country: 'RU',
    speaks: ['transcriptions'],
    auth: 'sber',
    scope: 'SALUTE_SPEECH_PERS',
  },
}

export const SBER_TOKENS = 'https://ngw.devices.sberbank.ru:9443/api/v2/oauth'

const OPENAI_HOST = 'api.openai.com'

/** The country that a provider is in unless its owner says otherwise; null when unknown. */
export function usualCountry({ kind = 'openai', baseUrl }: Pick<ProviderKeys, 'kind' | 'baseUrl'>): string | null {
  return profiles[kind].country ?? (new URL(baseUrl).hostname === OPENAI_HOST ? 'US' : null)
}
