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

/** No live process draws the picture. The previous release stores no instance, only a heartbeat. */
const isOrphaned = or(
  orphaned(images.instance),
  and(sql`${images.instance} is null`, sql`${images.heartbeatAt} < now() - interval '30 seconds'`),
)

/** Fails the pictures of crashed processes, with a reason and free of charge. */
export async function recoverImages(deps: RecoveryDeps): Promise<number> {
  const orphans = await deps.db
    .select({ id: images.id, userId: images.userId })
    .from(images)
    .where(and(eq(images.state, 'making'), isOrphaned))
    .limit(BATCH)
  let ended = 0
  for (const picture of orphans) {
    try {
      await failPicture(deps, picture, INTERRUPTED)
      ended += 1
    } catch (error) {
      deps.log.error({ err: error, imageId: picture.id }, 'images: recovery failed')
    }
  }
  return ended
}
