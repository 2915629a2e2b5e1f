import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { embedMissing } from './embedding.ts'
import type { KnowledgeWorld } from './world.ts'

export async function scheduleKnowledge(jobs: Jobs, db: Db, world: KnowledgeWorld): Promise<void> {
  await jobs.every('embed-missing', '*/10 * * * *', () => embedMissing(db, world), { limitSeconds: 1800 })
}
