import { readConfig } from './config.ts'
import { openDatabase } from './db/client.ts'
import { sqlFolders } from './db/migrate.ts'
import { longRunning } from './db/transactions.ts'
import { rebuildFigures } from './features/statistics/rollups.ts'
import { printedError } from './lib/safe-error.ts'

/** Rebuilds the statistics from existing rows. Deleted rows are no longer counted afterwards. */
try {
  const database = await openDatabase(readConfig().database, sqlFolders())
  await database.migrate()
  const started = performance.now()
  await rebuildFigures(longRunning(database.db))
  await database.close()
  process.stdout.write(`Статистика пересчитана за ${((performance.now() - started) / 1000).toFixed(1)} с.\n`)
  process.exit(0)
} catch (error) {
  process.stderr.write(`${printedError(error, 'message')}\n`)
  process.exit(1)
}
