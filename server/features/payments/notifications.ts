import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { paymentMethods } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { ingest, readJson } from './ingest.ts'
import { reportOf } from './reports.ts'
import { confirmMethod, readToken } from './saved-methods.ts'

const Notification = z.object({ event: z.string(), object: z.object({ id: z.string().min(1).max(100) }) })

/**
 * A notification of ЮKassa has no signature and may contradict itself, so it is only a hint: the sender's address is
 * checked, then the object is read, and only that counts. An error makes the gateway repeat it.
 */
export async function receiveNotification(deps: PaymentDeps, body: Buffer, ip: string): Promise<void> {
  const shop = deps.shops.yookassa
  if (!shop) throw new AppError('payments_off', 'Оплата через ЮKassa не настроена.')
  if (!shop.isSender(ip)) throw new AppError('forbidden', 'Уведомления принимаются только с адресов ЮKassa.')
  const hint = Notification.safeParse(readJson(body))
  if (!hint.success) throw new AppError('bad_request', 'Это не уведомление ЮKassa.')
  const { event, object } = hint.data
  if (event.startsWith('payment_method.')) return confirmByToken(deps, object.id)
  const transaction = await shop.gateway.transaction(object.id)
  if (!transaction) {
    deps.log?.warn({ event }, 'payments: a notification names an unknown object')
    return
  }
  try {
    await ingest(deps, reportOf(transaction), { source: 'webhook', gateway: 'yookassa' })
  } catch (error) {
    // It is stored for an administrator; a repeat would change nothing.
    if (!(error instanceof Rejection)) throw error
  }
}

/** Tokens are stored encrypted, so the few methods that wait are compared. */
async function confirmByToken(deps: PaymentDeps, token: string): Promise<void> {
  const { activeAt, removedAt } = paymentMethods
  const waiting = await deps.db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.gateway, 'yookassa'), isNull(activeAt), isNull(removedAt)))
  for (const row of waiting) {
    if (row.userId && (await readToken(deps, row)) === token) await confirmMethod(deps, row.userId)
  }
}
