import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { failPicture, INTERRUPTED } from './finish.ts'
import { holdOf } from './rows.ts'

/** A maker says every few seconds that it is alive; one that has been silent for so long is dead. */
const SILENCE_MS = 30_000
const BATCH = 200

interface RecoveryWorld {
  db: Db
  publish: Publish
}

/** Ends the pictures whose makers died, visibly and without a charge. */
export async function recoverImages(world: RecoveryWorld, silenceMs = SILENCE_MS): Promise<number> {
  const dead = await world.db
    .select({ id: images.id, userId: images.userId })
    .from(images)
    .where(and(eq(images.state, 'making'), lt(images.heartbeatAt, sinceNow(silenceMs))))
    .limit(BATCH)
  for (const picture of dead) await failPicture(world, picture, INTERRUPTED)
  return dead.length
}

/** For a hold that has run out: its picture, if nobody draws it any more, is ended with it. */
export async function recoverImageHold(world: RecoveryWorld, hold: string): Promise<void> {
  const id = hold.slice(holdOf('').length)
  const [picture] = await world.db
    .select({ id: images.id, userId: images.userId })
    .from(images)
    .where(and(eq(images.id, id), eq(images.state, 'making')))
  if (picture) await failPicture(world, picture, INTERRUPTED)
}

const sinceNow = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000})`
