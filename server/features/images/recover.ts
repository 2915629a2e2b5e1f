import { and, eq, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import { orphaned } from '#server/work/instance.ts'
import { failPicture, INTERRUPTED } from './finish.ts'

const BATCH = 200

interface RecoveryDeps {
  db: Db
  publish: Publish
  log: Log
}

/** No living process draws it. The previous release names no process, only when it was last alive. */
const isOrphaned = or(
  orphaned(images.instance),
  and(sql`${images.instance} is null`, sql`${images.heartbeatAt} < now() - interval '30 seconds'`),
)

/** Ends the pictures whose processes died, visibly and without a charge. */
export async function recoverImages(deps: RecoveryDeps): Promise<number> {
  const left = await deps.db
    .select({ id: images.id, userId: images.userId })
    .from(images)
    .where(and(eq(images.state, 'making'), isOrphaned))
    .limit(BATCH)
  let ended = 0
  for (const picture of left) {
    try {
      await failPicture(deps, picture, INTERRUPTED)
      ended += 1
    } catch (error) {
      deps.log.error({ err: error, imageId: picture.id }, 'a picture could not be recovered')
    }
  }
  return ended
}
