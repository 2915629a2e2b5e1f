import * as z from 'zod'
import { parseJson } from '#server/http/json.ts'
import { PAGE_JSON } from '#server/http/json-size.ts'
import { AppError } from '#server/lib/errors.ts'
import { type PaymentDeps, Rejection } from './deps.ts'
import { ingest } from './ingest.ts'
import { reportOf } from './reports.ts'
import { confirmByToken } from './saved-methods.ts'
import { isCheck } from './shop-refusals.ts'

const Notification = z.object({ event: z.string(), object: z.object({ id: z.string().min(1).max(100) }) })

/**
 * A notification of ЮKassa has no signature and may contradict itself, so it is only a hint: the sender's address is
 * checked, then the object is read, and only that counts. An error makes the gateway repeat it.
 */
export async function receiveNotification(deps: PaymentDeps, body: Buffer, ip: string): Promise<void> {
  const shop = deps.shops.yookassa
  if (!shop) throw new AppError('payments_off', 'Оплата через ЮKassa не настроена.')
  if (!shop.isSender(ip)) throw new AppError('forbidden', 'Уведомления принимаются только с адресов ЮKassa.')
  const hint = Notification.safeParse(await parseJson(body, PAGE_JSON))
  if (!hint.success) throw new AppError('bad_request', 'Это не уведомление ЮKassa.')
  const { event, object } = hint.data
  if (event.startsWith('payment_method.')) return confirmByToken(deps, object.id)
  const transaction = await shop.gateway.transaction(object.id)
  // It may be a payment of another shop, for example after a change of the settings: an administrator has to look.
  if (!transaction) {
    const unknown = { notification: { event, id: object.id } }
    return ingest(deps, unknown, { source: 'webhook', gateway: 'yookassa' })
  }
  if (isCheck(transaction.tracking_id)) return
  try {
    await ingest(deps, reportOf(transaction), { source: 'webhook', gateway: 'yookassa' })
  } catch (error) {
    // It is stored for an administrator; a repeat would change nothing.
    if (!(error instanceof Rejection)) throw error
  }
}
