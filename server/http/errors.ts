import type { Context } from 'hono'
import type { ErrorBody } from '#contract/errors.ts'
import { AppError, DISK_FULL, isDiskFull, isTransient } from '#server/lib/errors.ts'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'
import { LlmError } from '#server/llm/errors.ts'
import { StorageError } from '#server/storage/storage.ts'
import type { Env } from './route.ts'

/** Turns errors into responses. Unexpected ones are logged in full and shown only by request id. */
export function answerError(error: Error, c: Context<Env>): Response {
  const rejection = error instanceof AppError ? error : errorOfDatabase(error)
  if (rejection?.retryAfterSeconds !== undefined)
    c.header('retry-after', String(Math.ceil(rejection.retryAfterSeconds)))
  if (rejection) return c.json(rejection.toBody(), rejection.status)
  if (error instanceof LlmError) {
    c.var.log.warn({ err: error }, 'http: a model failed')
    return c.json(new AppError('model_failed', error.message).toBody(), 502)
  }
  if (isCutOff(c)) return c.json(new AppError('bad_request', 'Запрос оборвался, не дойдя до конца.').toBody(), 400)
  const outage = outageBehind(error)
  if (outage) {
    c.var.log.error({ err: error, reason: outage.reason }, 'http: a dependency is unavailable')
    if (outage.retryAfterSeconds !== undefined) c.header('retry-after', String(outage.retryAfterSeconds))
    return c.json(outage.toBody(), outage.status)
  }
  c.var.log.error({ err: error }, 'http: unexpected error')
  const body: ErrorBody = {
    status: 500,
    code: 'internal',
    message: `Что-то сломалось на нашей стороне. Номер обращения: ${c.var.requestId}`,
  }
  return c.json(body, 500)
}

/** The client has left in the middle of its body: the reset that its reader meets is not an outage of ours. */
function isCutOff(c: Context<Env>): boolean {
  const incoming = c.env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}

/** The SQL state under which database functions raise a sentence for the user. */
const REJECTION = 'SY409'

function errorOfDatabase(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && error.code === REJECTION) return new AppError('conflict', error.message)
  return errorOfDatabase(error.cause)
}

/** Temporary outages that end without a change of ours. */
export function outageBehind(error: unknown): AppError | null {
  const causes = causesOf(error)
  if (causes.some(isDiskFull)) return new AppError('out_of_space', DISK_FULL, { reason: 'disk' })
  if (causes.some((cause) => cause instanceof StorageError))
    return new AppError('unavailable', 'Хранилище файлов сейчас недоступно. Попробуйте ещё раз через минуту.', {
      reason: 'storage',
    })
  if (isTransient(error) && !causes.some(isFetchError))
    return new AppError('unavailable', 'База данных сейчас не отвечает. Повторите через несколько секунд.', {
      reason: 'database',
      retryAfterSeconds: 2,
    })
  return null
}

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])
/** An external server that does not answer is not our database. */
const isFetchError = ({ message }: Error) => message === 'fetch failed'

export function answerNotFound(c: Context<Env>): Response {
  return c.json(new AppError('not_found', 'Такого адреса нет.').toBody(), 404)
}

/** The code comes from the URL. Providers send several words too; a Russian text would look like our own message. */
const CODE = /^[\x21-\x7e][\x20-\x7e]{0,99}$/

/** The error page of the specification, section 2. It needs no other file. */
export function errorPage(code: string | undefined, appName: string): string {
  const shown = code && CODE.test(code) ? code : 'Unknown'
  return htmlPage({
    title: `Ошибка — ${appName}`,
    style: `
body { min-height: 100vh; display: grid; place-items: center; }
main { max-width: 440px; padding: 24px; text-align: center; }
svg { width: 56px; height: 56px; color: #d97706; }
h1 { margin: 12px 0; font-size: 24px; }
code { overflow-wrap: anywhere; }`,
    body: `<main>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Предупреждение"><path d="M12 3 2 20h20L12 3Z"/><path d="M12 10v4"/><path d="M12 17h.01"/></svg>
<h1>Что-то пошло не так</h1>
<p>Попробуйте ещё раз. Если ошибка повторится, напишите владельцу приложения и назовите код ниже.</p>
<p><a class="button" href="/">Return to Application</a></p>
<p>Код ошибки: <code>${escapeHtml(shown)}</code></p>
</main>`,
  })
}
