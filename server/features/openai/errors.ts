import type { ErrorCode } from '#contract/errors.ts'
import type { OpenAiErrorBody, ProgramErrorCode } from '#contract/openai.ts'
import { outageBehind } from '#server/http/errors.ts'
import { AppError } from '#server/lib/errors.ts'
import { LlmError, type LlmErrorKind } from '#server/llm/errors.ts'
import { ApiKeyError } from '../api-keys/find-key.ts'

type ErrorType = OpenAiErrorBody['error']['type']

interface ErrorTerms {
  status: number
  type?: ErrorType
  code?: ProgramErrorCode | ErrorCode | null
  param?: string | null
  retryAfterSeconds?: number | undefined
}

/** An error in the form that clients of OpenAI's API understand. The sentence is ours. */
export class OpenAiError extends Error {
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly body: OpenAiErrorBody

  constructor(message: string, terms: ErrorTerms) {
    super(message)
    this.name = 'OpenAiError'
    this.status = terms.status
    this.retryAfterSeconds = terms.retryAfterSeconds
    const { type = 'invalid_request_error', code = null, param = null } = terms
    this.body = { error: { message, type, param, code } }
  }

  /** Some clients repeat every 429; this header tells OpenAI's own not to repeat what cannot succeed. */
  get headers(): Record<string, string> {
    const wait = this.retryAfterSeconds
    return {
      ...(wait === undefined ? {} : { 'retry-after': String(Math.ceil(wait)) }),
      ...(this.status < 429 && this.status !== 409 ? { 'x-should-retry': 'false' } : {}),
    }
  }
}

export const badField = (param: string, message: string, code: ProgramErrorCode | null = null) =>
  new OpenAiError(message, { status: 400, param, code })

export const modelNotFound = () =>
  new OpenAiError('Такой модели нет. Список моделей: GET /v1/models.', {
    status: 404,
    code: 'model_not_found',
    param: 'model',
  })

/** Every error of a call as its client gets it; null for one that was not expected. */
export function openAiErrorOf(error: unknown): OpenAiError | null {
  if (error instanceof OpenAiError) return error
  if (error instanceof ApiKeyError) return keyError(error)
  if (error instanceof AppError) return appError(error)
  if (error instanceof LlmError) return modelError(error)
  const outage = outageBehind(error)
  return outage && appError(outage)
}

/** OpenAI answers 401 for an address that is not in the list, too. */
const keyError = ({ refusal, message }: ApiKeyError) =>
  new OpenAiError(message, { status: refusal === 'api_keys_off' ? 403 : 401, code: refusal })

function appError({ code, status, message, field, retryAfterSeconds }: AppError): OpenAiError {
  const param = field ?? null
  switch (code) {
    case 'out_of_symbols':
      return new OpenAiError(message, { status, type: 'insufficient_quota', code: 'insufficient_quota' })
    case 'too_many_requests':
      return new OpenAiError(message, {
        ...{ status, type: 'requests', code: 'rate_limit_exceeded' },
        retryAfterSeconds: retryAfterSeconds ?? 1,
      })
    case 'unauthorized':
      return new OpenAiError(message, { status, code: 'invalid_api_key' })
    default:
      return new OpenAiError(message, {
        ...{ status, param, code: code === 'bad_request' ? null : code, retryAfterSeconds },
        ...(status >= 500 && { type: 'server_error' as const }),
      })
  }
}

const modelErrors: Record<LlmErrorKind, ErrorTerms> = {
  key: { status: 502, type: 'server_error', code: 'model_unavailable' },
  credit: { status: 502, type: 'server_error', code: 'model_unavailable' },
  missing: { status: 502, type: 'server_error', code: 'model_unavailable' },
  down: { status: 502, type: 'server_error', code: 'model_failed' },
  timeout: { status: 504, type: 'server_error', code: 'model_timeout' },
  busy: { status: 503, type: 'server_error', code: 'model_busy' },
  filter: { status: 400, code: 'content_filter' },
  too_long: { status: 400, code: 'context_length_exceeded', param: 'messages' },
  refused: { status: 400, code: 'model_refused' },
}

/** Fields that a model may reject, in the order of looking for them in its answer. */
const rejectable = [
  ...([
    'tool_choice',
    'tools',
    'response_format',
    'dimensions',
    'image_url',
    'max_completion_tokens',
    'max_tokens',
  ] as const),
  ...(['reasoning_effort', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'stop'] as const),
]
const names = (field: string) => new RegExp(`(?<![a-z_])${field}(?![a-z_])`)

function modelError(error: LlmError): OpenAiError {
  const { kind, reason, message: ours, retryAfterMs } = error
  const terms = modelErrors[kind]
  const message = withProviderSentence(error, ours)
  if (kind !== 'refused') {
    const wait = retryAfterMs === null ? {} : { retryAfterSeconds: retryAfterMs / 1000 }
    return new OpenAiError(message, { ...terms, ...wait })
  }
  if (reason === 'no-tools') return badField('tools', message, 'unsupported_parameter')
  if (reason === 'no-required-tool') return badField('tool_choice', message, 'unsupported_value')
  if (reason === 'no-format') return badField('response_format', message, 'unsupported_parameter')
  if (reason === 'no-images-accepted') return badField('messages', message, 'unsupported_value')
  if (reason === 'no-such-models') return new OpenAiError(message, modelErrors.missing)
  const named = rejectable.find((field) => error.says((body) => names(field).test(body)))
  return new OpenAiError(message, { ...terms, param: named === 'image_url' ? 'messages' : (named ?? null) })
}

/** Errors that the request itself has caused: their author can mend it when he reads what the provider says. */
const ofRequest = new Set<LlmErrorKind>(['refused', 'too_long', 'filter'])

function withProviderSentence(error: LlmError, ours: string): string {
  const theirs = ofRequest.has(error.kind) ? error.providerSentence() : null
  if (theirs === null) return ours
  const own = error.kind === 'refused' ? 'Модель не приняла запрос.' : ours
  return `${own} Ответ провайдера: «${theirs}»`
}
