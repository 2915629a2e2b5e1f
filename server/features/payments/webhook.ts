import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { paymentEvents } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { openedShop, type PaymentDeps } from './deps.ts'
import { type Apply, type Notice, readNotice } from './notices.ts'
import { Rejection } from './rejections.ts'
import { storedOf } from './store-event.ts'

/** What the gateway sends: authenticated, kept, applied once. Refused news are kept too, and tried again when repeated. */
export async function receiveNotice(deps: PaymentDeps, body: Buffer, headers: Headers): Promise<void> {
  if (!openedShop(deps).isGenuine(body, headers)) throw new AppError('unauthorized', 'Подпись не сошлась.')
  await applyNotice(deps, readJson(body))
}

/** The way of all news, also of what was learnt by asking: kept, applied once, and kept with the reason when refused. */
export async function applyNotice(deps: PaymentDeps, content: unknown): Promise<void> {
  const notice = readNotice(content)
  if (await isProcessed(deps, notice, content)) return
  try {
    const apply = await notice.prepare(deps)
    await deps.db.transaction((tx) => processOnce(tx, notice.key, apply))
  } catch (error) {
    if (error instanceof Rejection) {
      deps.log?.error({ key: notice.key, reason: error.message }, 'news of the payment gateway was refused')
      await deps.db.update(paymentEvents).set({ problem: error.message }).where(ofKey(notice.key))
    }
    throw error
  }
}

async function isProcessed(deps: PaymentDeps, notice: Notice, content: unknown): Promise<boolean> {
  const { key: dedupeKey, refs } = notice
  const [event] = await deps.db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, ...(await storedOf(deps, notice, content)) })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { deliveries: sql`${paymentEvents.deliveries} + 1` },
    })
    .returning({ processedAt: paymentEvents.processedAt })
  return event?.processedAt != null
}

async function processOnce(tx: Db, key: string, apply: Apply): Promise<void> {
  const [event] = await tx.select().from(paymentEvents).where(ofKey(key)).for('update')
  if (event?.processedAt) return
  const known = await apply(tx)
  await tx.update(paymentEvents).set({ processedAt: new Date(), orphan: !known, problem: null }).where(ofKey(key))
}

const ofKey = (key: string) => eq(paymentEvents.dedupeKey, key)

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('bad_request', 'Тело запроса не читается как JSON.')
  }
}
