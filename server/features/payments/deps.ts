import type { Db } from '#server/db/client.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { Shop } from '#server/payments/shop.ts'

/** What payments need of the outside. */
export interface Payments {
  /** Null where payment is not set up. */
  shop: Shop | null
  appName: string
  appUrl: string
  /** Marks of people and of payers' addresses are made with it. */
  personKey: Buffer
  log?: Log
  /** Given all work that nobody waits for, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/** The same for what nobody asked for: notices of the gateway and jobs. */
export interface PaymentDeps extends Payments {
  db: Db
  publish: Publish
}

export function openedShop({ shop }: Payments): Shop {
  if (!shop) throw new AppError('payments_off', 'Оплата не настроена: на этом сервере не задан платёжный шлюз bePaid.')
  return shop
}

/** Money is agreed to by its owner alone. */
export function refuseImpersonator({ session }: Ctx): void {
  if (session.impersonatedBy) {
    throw new AppError('forbidden', 'Вы смотрите глазами пользователя: платить за него нельзя.')
  }
}

/** All open pages of the payer learn of it once it is committed. */
export function publishProfile({ publish }: PaymentDeps, userId: string | null): void {
  if (userId) afterCommit(() => publish(userId, { topic: 'profile', type: 'balance', data: null }))
}

export const profileUrl = ({ appUrl }: Payments) => `${appUrl}/profile`
