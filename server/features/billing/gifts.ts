import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../audit/audit.ts'
import { reachUser } from '../users/users.ts'
import { publishBalance } from './balance-call.ts'
import { grant, withdraw } from './ledger.ts'
import { singleSubscription } from './single-subscription.ts'

/** An admin adds symbols, or with a negative number takes back what is free of them. The owner sees the reason. */
export async function giveGift(ctx: Ctx, id: string, { symbols, reason }: { symbols: number; reason: string }) {
  const userId = await reachUser(ctx, id)
  const order = { key: `gift:${newId()}`, userId, symbols: Math.abs(symbols), note: reason }
  await ctx.db.transaction(async (tx) => {
    if (symbols > 0) await grant(tx, { ...order, kind: 'gift' })
    const moved = symbols > 0 ? symbols : await withdraw(tx, order)
    const act = symbols > 0 ? 'user.gift' : 'user.take'
    await audit(ctx, { act, kind: 'user', target: userId, after: { symbols: moved }, note: reason })
    publishBalance(ctx, userId)
  })
  return { id: userId, SingleSubscription: await singleSubscription(ctx.db, userId) }
}
