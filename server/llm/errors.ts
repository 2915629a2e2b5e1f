export type LlmErrorKind = 'key' | 'credit' | 'busy' | 'down' | 'timeout' | 'filter' | 'too_long' | 'refused'

const sentences: Record<LlmErrorKind, string> = {
  key: 'Модель не подключена: провайдер не принял ключ. Напишите в поддержку.',
  credit: 'У провайдера модели закончились средства. Выберите другую модель или напишите в поддержку.',
  busy: 'Модель сейчас перегружена. Повторите через минуту или выберите другую.',
  down: 'Модель не отвечает. Повторите позже или выберите другую.',
  timeout: 'Модель слишком долго молчит. Повторите позже или выберите другую.',
  filter: 'Модель отказалась отвечать по своим правилам. Переформулируйте вопрос.',
  too_long: 'Вопрос вместе с историей не помещается в модель. Сократите его или начните новый чат.',
  refused: 'Модель не приняла запрос. Попробуйте другую модель.',
}

/** A model's error with a sentence for the user; `details` go only to the log. */
export class LlmError extends Error {
  readonly kind: LlmErrorKind
  readonly details: string
  /** The provider's Retry-After; null when it sent none. */
  readonly retryAfterMs: number | null

  constructor(
    kind: LlmErrorKind,
    details = '',
    cause?: unknown,
    sentence = sentences[kind],
    retryAfterMs: number | null = null,
  ) {
    super(retryAfterMs === null ? sentence : withWait(sentence, retryAfterMs), { cause })
    this.name = 'LlmError'
    this.kind = kind
    this.details = details
    this.retryAfterMs = retryAfterMs
  }

  /** A retry may succeed. */
  get isTemporary(): boolean {
    return this.kind === 'busy' || this.kind === 'down' || this.kind === 'timeout'
  }
}

export function kindOf(status: number, text: string): LlmErrorKind {
  if (status === 401) return 'key'
  if (status === 402 || /insufficient_quota|insufficient.?(credit|fund|balance)|credit balance is too low/i.test(text))
    return 'credit'
  if (/context.?length|maximum context|too many tokens|context_window|prompt is too long/i.test(text)) return 'too_long'
  if (/content_filter|content_policy|moderation|safety.?system/i.test(text)) return 'filter'
  // Gateways answer flagged content with 403, so the text is checked before the status.
  if (status === 403) return 'key'
  // 529 is Anthropic's «overloaded», also through gateways.
  if (status === 429 || status === 529) return 'busy'
  if (status === 408 || status === 504) return 'timeout'
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
