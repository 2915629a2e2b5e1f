import { openLog } from '#server/lib/log.ts'
import { type Config, readConfig } from './config.ts'
import { type Db, openDatabase } from './db/client.ts'
import { longRunning } from './db/long-running.ts'
import { sqlFolders } from './db/sql-folders.ts'
import { reconcile } from './features/billing/invariants.ts'
import { openFiles } from './features/files/world.ts'
import { reconcileFiles } from './features/storage/reconcile-files.ts'

/** Proves the books, or with `--files` the storage, from the command line: names what is wrong and then exits with 1. */
try {
  const options = readOptions(process.argv.slice(2))
  const config = readConfig()
  const database = await openDatabase(config.database, sqlFolders())
  const isGood = await (options.files ? checkFiles(database.db, config, options.delete) : checkLedger(database.db))
  await database.close()
  process.exit(isGood ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function readOptions(given: string[]) {
  const known = ['--files', '--delete']
  const unknown = given.find((option) => !known.includes(option))
  if (unknown) throw new Error(`Нет такого ключа: ${unknown}. Есть: ${known.join(', ')}.`)
  const options = { files: given.includes('--files'), delete: given.includes('--delete') }
  if (options.delete && !options.files) throw new Error('--delete работает только вместе с --files.')
  return options
}

async function checkLedger(db: Db): Promise<boolean> {
  const problems = await reconcile(longRunning(db))
  for (const { rule, userId, details } of problems) say(`✗ ${rule}\n  ${userId}: ${details}`)
  say(problems.length === 0 ? 'Книги сходятся.' : `Нарушений: ${problems.length}`)
  return problems.length === 0
}

async function checkFiles(db: Db, config: Config, deletes: boolean): Promise<boolean> {
  const { storage, pool } = await openFiles(config.dataDir, config.s3)
  const log = openLog('silent')
  const { isGood, lines } = await reconcileFiles({ db, storage, log, adopt: config.adoptsStorage }, deletes)
  await pool.close()
  say(lines.join('\n'))
  return isGood
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
