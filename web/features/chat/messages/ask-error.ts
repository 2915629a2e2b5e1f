import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { notify } from '#web/lib/notify.ts'
import { rememberOutOfSymbols } from '../outbox/remember-out-of-symbols.ts'

/** One more answer was asked for and did not begin: the question stays as it was. */
export function applyAskError(client: QueryClient, threadId: string, error: unknown): void {
  if (error instanceof ApiError && error.code === 'out_of_symbols') {
    rememberOutOfSymbols(client, threadId, error.message)
    return
  }
  const known = error instanceof ApiError && error.status > 0
  notify.error({
    title: known ? `${error.status}: ${error.message}` : 'Нет связи с сервером. Проверьте интернет и повторите.',
  })
}
