import type { IncomingHttpHeaders } from 'node:http'
import { connectionFailure, type Failure, failureOf } from '#server/lib/failure.ts'
import { sentenceIn } from './provider-sentence.ts'

export type LlmErrorKind =
  | 'key'
  | 'credit'
  | 'busy'
  | 'down'
  | 'timeout'
  | 'filter'
  | 'too_long'
  | 'missing'
  | 'refused'

/** What customers read when only the owner of the installation can help. */
export const UNAVAILABLE = 'Модель сейчас недоступна. Выберите другую или повторите позже.'
const sentences: Record<LlmErrorKind, string> = {
  key: UNAVAILABLE,
  credit: UNAVAILABLE,
  busy: 'Модель сейчас перегружена. Повторите через минуту или выберите другую.',
  down: 'Модель не отвечает. Повторите позже или выберите другую.',
  timeout: 'Модель слишком долго молчит. Повторите позже или выберите другую.',
  filter: 'Модель отказалась отвечать по своим правилам. Переформулируйте вопрос.',
  too_long: 'Вопрос вместе с историей не помещается в модель. Сократите его или начните новый чат.',
  missing: 'У провайдера нет этой модели: возможно, её отключили. Выберите другую.',
  refused: 'Модель не приняла запрос. Попробуйте другую модель.',
}

const ownerSentences: Partial<Record<LlmErrorKind, string>> = {
  key: 'Провайдер не принял ключ.',
  credit: 'У провайдера закончились средства на счёте.',
}

const NOT_AVAILABLE = 'Модель сейчас недоступна. Повторите позже.'
/** For work whose model the reader does not choose and whose input is no question of theirs. */
const withoutChoice: Record<LlmErrorKind, string> = {
  ...sentences,
  key: NOT_AVAILABLE,
  credit: NOT_AVAILABLE,
  busy: 'Модель сейчас перегружена. Повторите через минуту.',
  down: 'Модель не отвечает. Повторите позже.',
  timeout: 'Модель слишком долго молчит. Повторите позже.',
  filter: 'Модель отказалась читать это по своим правилам.',
  too_long: 'Это не помещается в модель.',
  missing: 'У провайдера нет этой модели: возможно, её отключили. Напишите в поддержку.',
  refused: 'Модель не приняла запрос. Если так будет снова, напишите в поддержку.',
}

/** Why a call failed where the status does not say it. A closed list: no text of an answer fits into it. */
export type LlmErrorReason =
  | 'answer-without-end'
  | 'empty-stream'
  | 'empty-summary'
  | 'late'
  | 'no-format'
  | 'no-images-accepted'
  | 'no-provider'
  | 'no-required-tool'
  | 'no-such-models'
  | 'no-tools'
  | 'not-a-url'
  | 'not-json'
  | 'private-address'
  | 'recognition-failed'
  | 'resting'
  | 'silent'
  | 'stream-cut'
  | 'too-large'
  | 'unknown-answer'
  | 'unknown-list'
  | 'without-image'

interface LlmErrorOptions {
  reason?: LlmErrorReason
  failure?: Failure
  /** Replaces the sentence of the kind. */
  sentence?: string | undefined
  retryAfterMs?: number | null
  /** The beginning of the provider's answer. */
  body?: string
}

/** A model's error with a sentence for the user. It has no cause: both may quote what the user wrote. */
export class LlmError extends Error {
  readonly kind: LlmErrorKind
  readonly reason: LlmErrorReason | undefined
  readonly failure: Failure
  /** The provider's Retry-After; null when it sent none. */
  readonly retryAfterMs: number | null
  /** Private, so that no log and no inspection shows it. */
  readonly #body: string

  constructor(kind: LlmErrorKind, options: LlmErrorOptions = {}) {
    const { reason, failure = {}, sentence = sentences[kind], retryAfterMs = null, body = '' } = options
    super(retryAfterMs === null ? sentence : withWait(sentence, retryAfterMs))
    this.name = 'LlmError'
    this.kind = kind
    this.reason = reason
    this.failure = failure
    this.retryAfterMs = retryAfterMs
    this.#body = body
  }

  /** The sentence without advice to choose another model or to ask in other words. */
  get sentenceWithoutChoice(): string {
    const sentence = withoutChoice[this.kind]
    return this.retryAfterMs === null ? sentence : withWait(sentence, this.retryAfterMs)
  }

  /** Whether the provider's answer fits: it decides about the next request and is not stored. */
  says(test: (body: string) => boolean): boolean {
    return test(this.#body)
  }

  /** What the provider wrote, for the author of the request; null when it wrote no sentence. */
  providerSentence(): string | null {
    return sentenceIn(this.#body)
  }

  /** The cause, for the owner of the installation. */
  get ownerSentence(): string {
    return ownerSentences[this.kind] ?? this.message
  }

  get isTemporary(): boolean {
    return this.kind === 'busy' || this.kind === 'down' || this.kind === 'timeout'
  }
}

export const MAX_ERROR_TEXT = 4000

interface Rejected {
  status: number
  text: string
  headers?: IncomingHttpHeaders
  kind?: LlmErrorKind
  retryAfterMs?: number | null
  sentence?: string | undefined
}

export function rejectedBy({ status, text, headers = {}, kind = kindOf(status, text), ...rest }: Rejected): LlmError {
  const body = text.slice(0, MAX_ERROR_TEXT)
  return new LlmError(kind, { failure: failureOf({ status, body, headers }), body, ...rest })
}

export function unreachable(cause: unknown, kind: LlmErrorKind = 'down', sentence?: string): LlmError {
  return new LlmError(kind, { failure: connectionFailure(cause), sentence })
}

export function kindOf(status: number, text: string): LlmErrorKind {
  if (status === 401) return 'key'
  if (status === 402 || /insufficient_quota|insufficient.?(credit|fund|balance)|credit balance is too low/i.test(text))
    return 'credit'
  if (
    /context.?length|maximum context|too many tokens|context_window|prompt is too long|request too large|tokens must be reduced/i.test(
      text,
    )
  )
    return 'too_long'
  if (/content_filter|content_policy|moderation|safety.?system/i.test(text)) return 'filter'
  // Gateways answer flagged content with 403, so the text is checked before the status.
  if (status === 403) return 'key'
  // 529 is Anthropic's «overloaded», also through gateways.
  if (status === 429 || status === 529) return 'busy'
  if (status === 408 || status === 504) return 'timeout'
  if (status === 404 || status === 410) return 'missing'
  return status >= 500 ? 'down' : 'refused'
}

/** Puts the provider's Retry-After into the sentence. */
function withWait(sentence: string, ms: number): string {
  return sentence.replace(/через минуту|позже/, `через ${formatWait(Math.max(1, Math.ceil(ms / 1000)))}`)
}

function formatWait(seconds: number): string {
  if (seconds < 60) return `${seconds} с`
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} мин` : `${Math.ceil(seconds / 3600)} ч`
}
