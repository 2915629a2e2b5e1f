import { and, eq } from 'drizzle-orm'
import { transcriptions } from '#server/db/schema.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { TranscriptionDeps } from './deps.ts'
import { publishTranscription, type Row } from './rows.ts'

/** Another instance owns the recording by now, or it was deleted: nothing of it may be changed. */
export class OwnershipLost extends Error {}

export const ownedBy = ({ id, tries }: Pick<Row, 'id' | 'tries'>) =>
  and(eq(transcriptions.id, id), eq(transcriptions.tries, tries), eq(transcriptions.state, 'working'))

/** Each step is stored at once, so that a try after a crash begins with the next one. */
export async function change(
  { db, publish }: TranscriptionDeps,
  row: Row,
  values: Partial<typeof transcriptions.$inferInsert>,
): Promise<void> {
  const [changed] = await retryWhileUnavailable(() =>
    db.update(transcriptions).set(values).where(ownedBy(row)).returning({ id: transcriptions.id }),
  )
  if (!changed) throw new OwnershipLost()
  publishTranscription(publish, row.userId, row.id)
}
