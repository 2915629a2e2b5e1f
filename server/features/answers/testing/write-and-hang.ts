import { tmpdir } from 'node:os'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { createPool } from '#server/files/pool.ts'
import type { Ctx } from '#server/http/context.ts'
import { openLog } from '#server/lib/log.ts'
import type { Llm } from '#server/llm/llm.ts'
import { createProviders } from '#server/llm/providers.ts'
import { inProcessBus } from '#server/realtime/bus.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { noWeb } from '../../web-search/deps.ts'
import { sendMessage } from '../ask.ts'
import { openAnswers } from '../deps.ts'

/** A process that writes an answer, or its thought, without end until the test kills it. */
const [, , url = '', userId = '', threadId = '', as = 'text'] = process.argv
const { db } = await openDatabase({ url }, sqlFolders())
const talkative: Llm = async ({ onThought }, _signal, onText) => {
  for (let word = 0; ; word += 1) {
    if (as === 'thought') onThought?.(`мысль ${word} `)
    else onText(`слово ${word} `)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const providers = { ...createProviders([]), llm: () => talkative }
const user = { id: userId, email: '', name: '', image: null, role: 'user' as const }
const ctx: Ctx = { db, publish: () => {}, user, session: { id: '', user, impersonatedBy: null }, ip: '' }
const log = openLog('silent')
const deps = openAnswers({
  db,
  log,
  publish: () => {},
  instance: await registerInstance(db),
  afterAnswer: async () => {},
  bus: inProcessBus(),
  providers,
  storage: await diskStorage(tmpdir()),
  readFiles: async () => [],
  findPassages: async () => ({ passages: [] }),
  limits: async () => {},
  web: { ...noWeb, pool: createPool({ threads: 1, workMs: 1000, heapMb: 64 }), log },
})
const { messageId, running } = await sendMessage(ctx, deps, threadId, { content: 'Скажи' })
running?.listeners.add((offset) => process.stdout.write(`${messageId} ${offset}\n`))
