import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '#server/db/client.ts'
import { statNotes } from '#server/db/schema.ts'
import { BACKUP_NOTE } from '#server/features/health/figures.ts'

/** A file with the time of the last backup: the command has only a copy of a running embedded database. */
export const backupMarkPath = (dataDir: string) => join(dataDir, 'last-backup')

/** Remembers a finished backup, for the metric of its age and the status screen. */
export async function noteBackup(
  installation: { db: Db; dataDir: string; isEmbedded: boolean },
  name: string,
  at = new Date(),
): Promise<void> {
  if (installation.isEmbedded) return writeFile(backupMarkPath(installation.dataDir), `${name}\n`, { mode: 0o600 })
  const value = { name }
  await installation.db
    .insert(statNotes)
    .values({ name: BACKUP_NOTE, at, value })
    .onConflictDoUpdate({ target: statNotes.name, set: { at, value } })
}
