import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { sqlFolders } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { longRunning } from './db/transactions.ts'
import { reconcile } from './features/billing/invariants.ts'
import { LARGE, SMALL, seedDemo } from './features/demo/demo.ts'
import { seedModels } from './features/models/start-models.ts'
import { printedError } from './lib/safe-error.ts'

/** Fills a database with two invented years: npm run seed:demo -- [--small] [--into-existing] */
try {
  const { values: flags } = parseArgs({
    options: { small: { type: 'boolean', default: false }, 'into-existing': { type: 'boolean', default: false } },
  })
  const database = await openDatabase(readConfig().database, sqlFolders())
  await database.migrate()
  await seedModels(database.db)
  const started = performance.now()
  const printStep = (step: string) =>
    process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} с  ${step}\n`)
  await seedDemo(longRunning(database.db), flags.small ? SMALL : LARGE, {
    intoExisting: flags['into-existing'],
    onStep: printStep,
  })
  printStep('Сверка')
  const problems = await reconcile(longRunning(database.db))
  await database.close()
  printStep(problems.length === 0 ? 'Готово: учёт сходится' : `Учёт не сходится: ${JSON.stringify(problems[0])}`)
  process.exit(problems.length === 0 ? 0 : 1)
} catch (error) {
  process.stderr.write(`${printedError(error, 'message')}\n`)
  process.exit(1)
}
