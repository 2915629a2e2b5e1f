import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { type ImportFile, ImportRow } from '#contract/imports.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { threads } from '#server/db/schema.ts'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { startPostgres } from '../scripts/lib/services.mjs'
import { atEnd, runBench } from './lib/ending.ts'
import { goals } from './lib/goals.ts'
import { sleep } from './lib/numbers.ts'
import { startOurs } from './lib/our-server.ts'
import { addPeople, type Person } from './lib/people.ts'
import { addOwnChats, readingTimes } from './lib/search-costs.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'
import { type Peak, peakMemory, usage } from './lib/usage.ts'

/**
 * An archive of ChatGPT with many chats goes through the built server as from a page: how long it is looked into,
 * stored and undone, and in how much memory of the whole process; then what list, search and opening cost compared
 * with before, on Postgres.
 * Run: npm run bench:import -- [--chats 20000] [--megabytes 2000] [--as-is] [--node-flags='…']
 */

const { values: flags } = parseArgs({
  options: {
    chats: { type: 'string', default: '20000' },
    megabytes: { type: 'string', default: '2000' },
    'as-is': { type: 'boolean', default: false },
    'node-flags': { type: 'string', default: '' },
  },
})
const LIMIT_SECONDS = 1500
const AT_REST_MS = 5000
const POLL_MS = 250

if (!flags['as-is']) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const path = writeArchive()
  const postgres = await startPostgres()
  if (!postgres) throw new Error('Postgres не найден: установите его')
  atEnd(postgres.stop)
  const nodeFlags = flags['node-flags'].split(' ').filter(Boolean)
  const options = { embedded: false, url: postgres.url, nodeFlags }
  const { prepared, ...server } = await startOurs(options, 0, async (db, origin) => {
    const [made] = await addPeople(db, 1, origin)
    if (!made) throw new Error('No user was made')
    await addOwnChats(db, made.id)
    return made
  })
  const database = await openDatabase({ url: postgres.url }, sqlFolders())
  atEnd(() => database.close())
  const calls = importCalls(server.url, prepared)

  const before = await readingTimes(database.db, prepared.id)
  await sleep(AT_REST_MS)
  const rest = usage(server.pid).mib
  const uploaded = await peakMemory(server.pid, () => calls.upload(path))
  const { id } = uploaded.result
  const checked = await peakMemory(server.pid, () => calls.untilDone(id, 'finish'))
  const stored = await peakMemory(server.pid, () => calls.untilDone(id, 'start'))
  await database.db.execute(sql`analyze`)
  const after = await readingTimes(database.db, prepared.id)
  const undone = await peakMemory(server.pid, () => calls.untilDone(id, 'undo'))

  const goal = { most: goals.import.peakMib }
  const { added = 0, messages = 0 } = stored.result.result ?? {}
  const rows: Row[] = [
    { what: 'архив, МиБ', ours: Math.round((await stat(path)).size / 2 ** 20) },
    { what: 'память сервера в покое, МиБ', ours: rest },
    ...stepRows('загрузка', uploaded),
    ...stepRows('просмотр', checked, goal),
    ...stepRows('перенос', stored, goal),
    ...stepRows('отмена', undone),
    { what: 'перенесено чатов', ours: added, isExact: true },
    { what: 'перенесено сообщений', ours: messages, isExact: true },
    { what: 'осталось чатов', ours: await database.db.$count(threads, eq(threads.userId, prepared.id)) },
  ]
  for (const [what, ms] of Object.entries(after)) {
    const [was, most] = [before[what] ?? Number.NaN, goals.import.timesBefore]
    rows.push({ what: `${what}: было, мс`, ours: was }, { what: `${what}: стало, мс`, ours: ms })
    rows.push({ what: `${what}: отношение`, ours: ms / was, goal: { most } })
  }
  printGoals([printTable(`Перенос ${flags.chats} чатов`, rows)])
  return added === Number(flags.chats)
})

/** What the process had before a step stands beside its peak: it is left over from the step before. */
function stepRows(step: string, { seconds, beforeMib, peakMib }: Peak<unknown>, goal?: { most: number }): Row[] {
  return [
    { what: `${step}, с`, ours: seconds },
    { what: `${step}: память до начала, МиБ`, ours: beforeMib },
    { what: `${step}: наибольшая память, МиБ`, ours: peakMib, ...(goal ? { goal } : {}) },
  ]
}

function writeArchive(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'archive.zip')
  const program = ['node_modules/tsx/dist/cli.mjs', 'bench/lib/chat-archive.ts']
  const given = ['--path', path, '--chats', flags.chats, '--megabytes', flags.megabytes]
  execFileSync(process.execPath, [...program, ...given], { stdio: 'inherit' })
  return path
}

function importCalls(url: string, { headers }: Person) {
  async function ask(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<unknown> {
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const response = await fetch(`${url}/api/imports${path}`, {
      method,
      headers: { ...headers, 'content-type': type },
      ...(body ? { body: isBytes ? body : JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  async function upload(path: string): Promise<ImportRow> {
    const { size } = await stat(path)
    const row = ImportRow.parse(await ask('POST', '', { files: [{ name: 'archive.zip', bytes: size }] }))
    const source = await open(path)
    let file: ImportFile | undefined = row.files[0]
    while (file && file.received < file.bytes) {
      const chunk = new Uint8Array(Math.min(file.chunkBytes, file.bytes - file.received))
      await source.read(chunk, 0, chunk.length, file.received)
      file = (await ask('PUT', `/${row.id}/files/0?offset=${file.received}`, chunk)) as ImportFile
    }
    await source.close()
    return row
  }

  /** Starts a step and waits for its end. */
  async function untilDone(id: string, step: 'finish' | 'start' | 'undo'): Promise<ImportRow> {
    await ask('POST', `/${id}/${step}`, {})
    for (;;) {
      const row = ImportRow.parse(await ask('GET', `/${id}`))
      if (row.status === 'failed') throw new Error(row.error ?? 'failed')
      if (row.status !== 'queued' && row.status !== 'working') return row
      await sleep(POLL_MS)
    }
  }

  return { upload, untilDone }
}
