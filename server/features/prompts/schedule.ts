import { lt } from 'drizzle-orm'
import { PROMPT_TRASH_DAYS } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { prompts } from '#server/db/schema.ts'
import { longRunning } from '#server/db/transactions.ts'
import type { Jobs } from '#server/jobs/jobs.ts'

const DAY_MS = 86_400_000

export async function schedulePrompts(jobs: Jobs, db: Db): Promise<void> {
  await jobs.every('empty-prompt-trash', '41 3 * * *', () => emptyTrash(longRunning(db)), { limitSeconds: 600 })
}

export async function emptyTrash(db: Db, now = Date.now()): Promise<void> {
  await db.delete(prompts).where(lt(prompts.deletedAt, new Date(now - PROMPT_TRASH_DAYS * DAY_MS)))
}
