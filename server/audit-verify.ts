import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { openMigrated } from './db/open.ts'
import { reportOf, verifyChain } from './features/audit/audit.ts'
import { printedError } from './lib/safe-error.ts'

/** Verifies the audit log from the command line; exits with 1 if the chain is broken. */
try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } })
  const database = await openMigrated(readConfig().database, (text) => process.stderr.write(`${text}\n`))
  const { text, ok } = reportOf(await verifyChain(database.db, values.head?.trim().toLowerCase() ?? null))
  await database.close()
  process.stdout.write(text)
  process.exit(ok ? 0 : 1)
} catch (error) {
  process.stderr.write(`${printedError(error, 'message')}\n`)
  process.exit(1)
}
