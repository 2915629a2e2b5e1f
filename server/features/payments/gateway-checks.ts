import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { statNotes } from '#server/db/schema.ts'

/** When an admin last checked a gateway, and what came out; a note, because only the last one counts. */

const noteOf = (name: GatewayName) => `gateway-check:${name}`
const Check = z.object({ isOk: z.boolean() })

export async function noteGatewayCheck(db: Db, name: GatewayName, isOk: boolean, at = new Date()): Promise<void> {
  await db
    .insert(statNotes)
    .values({ name: noteOf(name), at, value: { isOk } })
    .onConflictDoUpdate({ target: statNotes.name, set: { at, value: { isOk } } })
}

export async function findGatewayCheck(db: Db, name: GatewayName): Promise<{ isOk: boolean; at: string } | null> {
  const [note] = await db
    .select()
    .from(statNotes)
    .where(eq(statNotes.name, noteOf(name)))
  return note ? { ...Check.parse(note.value), at: note.at.toISOString() } : null
}
