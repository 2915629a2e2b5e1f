import { paymentsApi } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import type { Shops } from '#server/payments/shop.ts'

export interface Payments {
  shops: Shops
  appName: string
  appUrl: string
  /** Key of the hashes that stand for users and payers' email addresses. */
  identityKey: Buffer
  /** Key of the stored ids of payment methods. */
  methodKey: string
  log?: Log
  /** Receives background work, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/** For work outside a user's request: webhooks and jobs. */
export interface PaymentDeps extends Payments {
  db: Db
  publish: Publish
}

/** Only the user themselves may spend their money. */
export function rejectImpersonator({ session }: Ctx): void {
  if (session.impersonatedBy) {
    throw new AppError('forbidden', 'Вы смотрите глазами пользователя: платить за него нельзя.')
  }
}

/** Makes the user's open pages reload the balance, after the commit. */
export function publishProfile({ publish }: PaymentDeps, userId: string | null): void {
  if (userId) afterCommit(() => publish(userId, { topic: 'profile', type: 'balance', data: null }))
}

export const webhookUrl = ({ appUrl }: Payments) => `${appUrl}${paymentsApi.webhook.path}`

export const profileUrl = ({ appUrl }: Payments) => `${appUrl}/profile`

/** A genuine report of the gateway that must not be applied. It is stored for an administrator. */
export class Rejection extends AppError {}

export const reject = (reason: string) => new Rejection('bad_request', `Платёж не принят: ${reason}`)
