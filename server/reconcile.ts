import { gatewayNames, gatewayTitles } from '#contract/payments.ts'
import { openLog } from '#server/lib/log.ts'
import { type Config, readConfig } from './config.ts'
import type { Db } from './db/client.ts'
import { openMigrated } from './db/open.ts'
import { longRunning } from './db/transactions.ts'
import { reconcile } from './features/billing/invariants.ts'
import { openFiles } from './features/files/deps.ts'
import { storedKinds } from './features/index.ts'
import { type CompareOptions, compareWithBepaid, type Difference } from './features/payments/compare-gateway.ts'
import { compareWithYookassa } from './features/payments/compare-yookassa.ts'
import { methodKeyOf } from './features/payments/saved-methods.ts'
import { reconcileFiles } from './features/storage/reconcile-files.ts'
import { printedError } from './lib/safe-error.ts'
import { authSecret, IDENTITY_HASHES, keyFor } from './lib/secrets.ts'
import { openBepaid, openYookassa } from './payments/shop.ts'
import { readReconcileArgs } from './reconcile-args.ts'

/** Checks the ledger, the payments or the files from the command line; exits with 1 when something is wrong. */
try {
  const args = readReconcileArgs(process.argv.slice(2))
  const config = readConfig()
  const database = await openMigrated(config.database, warn)
  const db = longRunning(database.db)
  let isGood = args.files ? await checkFiles(db, config, args.delete) : await checkLedger(db)
  if (args.since) isGood = (await compare(config, db, { since: args.since, apply: args.apply })) && isGood
  await database.close()
  process.exit(isGood ? 0 : 1)
} catch (error) {
  process.stderr.write(`${printedError(error, 'message')}\n`)
  process.exit(1)
}

async function checkLedger(db: Db): Promise<boolean> {
  const problems = await reconcile(db)
  for (const { rule, userId, details } of problems) say(`✗ ${rule}\n  ${userId}: ${details}`)
  say(problems.length === 0 ? 'Учёт сходится.' : `Нарушений: ${problems.length}`)
  return problems.length === 0
}

async function checkFiles(db: Db, config: Config, deletes: boolean): Promise<boolean> {
  const { storage, pool } = await openFiles(config.dataDir, config.s3)
  const log = openLog('silent')
  const { isGood, lines } = await reconcileFiles(
    { db, storage, kinds: storedKinds, log, adopt: config.adoptsStorage },
    deletes,
  )
  await pool.close()
  say(lines.join('\n'))
  return isGood
}

/** The server sends the emails that this queues. */
async function compare(config: Config, db: Db, options: CompareOptions): Promise<boolean> {
  const { bepaid, yookassa } = config.payments
  if (!bepaid && !yookassa) throw new Error('Сверять не с чем: не заданы ни BEPAID_SHOP_ID, ни YOOKASSA_SHOP_ID.')
  const { appName, appUrl } = config
  const secret = await authSecret(config.authSecret, config.dataDir)
  const keys = { identityKey: keyFor(secret, IDENTITY_HASHES), methodKey: methodKeyOf(secret) }
  const shops = { bepaid: bepaid && openBepaid(bepaid), yookassa: yookassa && openYookassa(yookassa) }
  const deps = { shops, appName, appUrl, ...keys, db, publish: () => {} }
  const found = {
    bepaid: shops.bepaid ? await compareWithBepaid(deps, options) : null,
    yookassa: shops.yookassa ? await compareWithYookassa(deps, shops.yookassa, options) : null,
  }
  const results = gatewayNames.map((name) => report(gatewayTitles[name], found[name], options))
  return results.every(Boolean)
}

function report(title: string, found: Difference[] | null, { apply }: CompareOptions): boolean {
  if (!found) return true
  for (const { text, attached } of found) say(`${attached ? '✓ исправлено:' : '✗'} ${title}: ${text}`)
  const open = found.filter(({ attached }) => !attached).length
  const hint = open > 0 && !apply ? ' Исправить, что можно: добавьте --apply.' : ''
  say(open === 0 ? `С ${title} всё сходится.` : `Расхождений с ${title}: ${open}.${hint}`)
  return open === 0
}

function warn(text: string) {
  process.stderr.write(`${text}\n`)
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
