import { openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/sql-folders.ts'
import { hold } from '../ledger.ts'

/** A process that promises symbols to an answer and never comes to settle: the test kills it. */
const [, , url = '', userId = ''] = process.argv
const { db } = await openDatabase({ url }, sqlFolders())
const leaseUntil = new Date(Date.now() + 60_000)
const outcome = await hold(db, { key: 'victim', userId, kind: 'answer', symbols: 150, leaseUntil })
process.stdout.write(outcome)
setInterval(() => {}, 1000)
