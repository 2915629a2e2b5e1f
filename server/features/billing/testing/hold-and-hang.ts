import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { hold } from '../ledger.ts'

/** A process that takes a hold and never settles it: the test kills it. */
const [, , url = '', userId = ''] = process.argv
const { db } = await openDatabase({ url }, sqlFolders())
const { id: instance } = await registerInstance(db)
const outcome = await hold(db, { key: 'victim', userId, kind: 'answer', symbols: 150, instance })
process.stdout.write(outcome)
setInterval(() => {}, 1000)
