import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openLog } from '#server/lib/log.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { openFiles } from '../../files/deps.ts'
import { readUploaded } from '../../files/reading.ts'

/** A process that reads a file and hangs while it indexes it; the test kills it. */
const [, , url = '', dataDir = '', fileId = ''] = process.argv
const { db } = await openDatabase({ url }, sqlFolders())
const files = await openFiles(dataDir, null)
const log = openLog('silent')
const embed = () => () => {
  process.stdout.write('indexing\n')
  return new Promise<never>(() => {})
}
setInterval(() => {}, 1000)
await readUploaded(
  {
    ...files,
    db,
    publish: () => {},
    log,
    knowledge: { providers: { embed }, hasVectors: true, log },
    instance: await registerInstance(db),
  },
  fileId,
)
