import { readConfig } from './config.ts'
import { openDatabase } from './db/client.ts'
import { longRunning } from './db/long-running.ts'
import { sqlFolders } from './db/sql-folders.ts'
import { reconcile } from './features/billing/invariants.ts'

/** Proves the books from the command line: says each violation, and leaves with 1 if there is one. */
try {
  const database = await openDatabase(readConfig().database, sqlFolders())
  const problems = await reconcile(longRunning(database.db))
  await database.close()
  for (const { rule, userId, details } of problems) process.stdout.write(`✗ ${rule}\n  ${userId}: ${details}\n`)
  process.stdout.write(problems.length === 0 ? 'Книги сходятся.\n' : `Нарушений: ${problems.length}\n`)
  process.exit(problems.length === 0 ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
