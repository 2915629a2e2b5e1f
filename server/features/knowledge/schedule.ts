import type { Db } from '#server/db/client.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { KnowledgeDeps } from './deps.ts'
import { embedMissing } from './embedding.ts'

export async function scheduleKnowledge(jobs: Jobs, db: Db, deps: KnowledgeDeps): Promise<void> {
  await jobs.every('embed-missing', '*/10 * * * *', () => embedMissing(db, deps), { limitSeconds: 1800 })
}
