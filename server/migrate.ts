import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Log } from '#server/lib/log.ts'
import { type Config, readConfig } from './config.ts'
import { sqlFolders } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { printedError } from './lib/safe-error.ts'

/**
 * Brings the database to the schema of this build without starting a server. With --check changes nothing and exits
 * with 1 when something is missing.
 */
try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const isGood = await migrate(readConfig().database, values.check)
  process.exit(isGood ? 0 : 1)
} catch (error) {
  process.stderr.write(`${printedError(error, 'message')}\n`)
  process.exit(1)
}

async function migrate(where: Config['database'], onlyChecks: boolean): Promise<boolean> {
  // Opening an embedded database that does not exist would create it.
  if (onlyChecks && where.folder && !existsSync(join(where.folder, 'PG_VERSION'))) {
    say(`Базы в ${where.folder} ещё нет: её создаст npm run migrate или первый запуск.`)
    return false
  }
  const log = { info: progress, warn: progress } as Pick<Log, 'info' | 'warn'>
  const database = await openDatabase(where, sqlFolders(), { poolSize: 2, log })
  try {
    const missing = await database.missing()
    if (missing.length === 0) {
      say('База готова для этой сборки: всё на месте.')
      return true
    }
    say(`Не хватает: ${missing.join(', ')}`)
    if (onlyChecks) return false
    await database.migrate()
    say('База готова для этой сборки.')
    return true
  } finally {
    await database.close()
  }
}

/** Lines of the log as plain text: the facts come before the sentence. */
function progress(...args: unknown[]): void {
  say(String(args.at(-1)))
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
