import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { ThreadFilter } from '#contract/threads.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { importFiles, imports, threads } from '#server/db/schema.ts'
import { createImportQueue } from '#server/features/imports/imports.ts'
import { archiveChunks } from '#server/features/imports/rows.ts'
import { searchThreads } from '#server/features/search/search.ts'
import { listThreads, readThread } from '#server/features/threads/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { totalTable } from '#server/http/limit-table.ts'
import { openInstance } from '#server/instances/instance.ts'
import { openLog } from '#server/lib/log.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { usedBytes } from '#server/testing/memory.ts'
import { startPostgres } from '../scripts/lib/services.mjs'
import { median } from './lib/numbers.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'

/**
 * An archive of ChatGPT with many chats: how long it is looked into, stored and undone, and in how much memory; then
 * what list, search and opening cost compared with before, on Postgres.
 * Run: npm run bench:import -- [--chats 20000] [--megabytes 2000]
 */

const { values: flags } = parseArgs({
  options: {
    chats: { type: 'string', default: '20000' },
    megabytes: { type: 'string', default: '2000' },
    generate: { type: 'string' },
  },
})
const CHATS = Number(flags.chats)
const BYTES = Number(flags.megabytes) * 1024 ** 2
const SHARD = 400
const OWN_CHATS = 200
const TIMES = 40
const USER = 'importer'
const MOST_MEMORY_MB = 300
const MOST_RATIO = 1.2

const words =
  'договор поставка склад отчёт письмо клиент срок цена план встреча ответ вопрос пример расчёт таблица текст'.split(
    ' ',
  )
const rss = () => Math.round(process.memoryUsage().rss / 1024 ** 2)

// The archive is made by another process, so that its memory does not count.
if (flags.generate) await writeArchive(flags.generate)
else await bench()

async function bench() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'))
  const path = join(folder, 'archive.zip')
  const self = fileURLToPath(import.meta.url)
  spawnSync(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', self, '--generate', path, '--chats', flags.chats, '--megabytes', flags.megabytes],
    { stdio: 'inherit' },
  )
  const postgres = await startPostgres()
  if (!postgres) throw new Error('There is no Postgres on this machine')
  const database = await openDatabase({ url: postgres.url }, sqlFolders())
  try {
    await database.migrate()
    await measure(database.db, postgres.url, path, folder)
  } finally {
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(db: Ctx['db'], url: string, path: string, folder: string) {
  await fillOwn(db)
  const ctx = { db, user: { id: USER }, publish: () => {} } as unknown as Ctx
  const before = await readings(ctx)
  const incoming = join(folder, 'incoming')
  await mkdir(incoming)
  const log = openLog('error')
  const storage = await diskStorage(folder)
  const instance = await openInstance({ db, lockUrl: url, log })
  const most = Object.fromEntries(Object.entries(totalTable).map(([name, row]) => [name, row.most])) as Parameters<
    typeof createImportQueue
  >[0]['totals']
  const queue = createImportQueue({
    db,
    log,
    publish: () => {},
    instance,
    storage,
    incoming,
    totals: most,
    projects: undefined,
    // No document is in the archive.
    reading: undefined as never,
  })
  await upload(db, { storage, incoming }, path)
  const run = async (step: 'check' | 'store' | 'undo') => {
    await db.update(imports).set({ state: 'queued', step }).where(eq(imports.id, 'bench'))
    // What the readings and the compiling of the sources have left behind does not count.
    usedBytes()
    const baseline = rss()
    let peak = 0
    let parts = process.memoryUsage()
    const timer = setInterval(() => {
      if (rss() <= peak) return
      peak = rss()
      parts = process.memoryUsage()
    }, 50)
    const started = performance.now()
    queue.wake()
    await queue.idle()
    clearInterval(timer)
    const [row] = await db.select().from(imports).where(eq(imports.id, 'bench'))
    if (row?.state === 'failed') throw new Error(row.error ?? 'failed')
    return { seconds: (performance.now() - started) / 1000, baseline, peak, parts, row }
  }
  const checked = await run('check')
  const stored = await run('store')
  await db.execute(sql`analyze`)
  const after = await readings(ctx)
  const rows: Row[] = [
    { what: 'архив, МБ', ours: Math.round((await stat(path)).size / 1024 ** 2) },
    { what: 'просмотр, с', ours: checked.seconds },
    { what: 'просмотр: память процесса, МБ', ours: checked.peak },
    { what: 'перенос, с', ours: stored.seconds },
    { what: 'перенос: память процесса, МБ', ours: stored.peak, goal: { most: MOST_MEMORY_MB } },
    { what: 'из неё куча процесса, МБ', ours: Math.round(stored.parts.heapTotal / 1024 ** 2) },
    { what: 'из неё буферы, МБ', ours: Math.round(stored.parts.arrayBuffers / 1024 ** 2) },
    { what: 'память до начала, МБ', ours: checked.baseline },
    { what: 'перенесено чатов', ours: stored.row?.result?.added ?? 0 },
    { what: 'перенесено сообщений', ours: stored.row?.result?.messages ?? 0 },
  ]
  for (const [what, ms] of Object.entries(after)) {
    rows.push({ what: `${what}: было, мс`, ours: before[what] ?? 0 }, { what: `${what}: стало, мс`, ours: ms })
    rows.push({ what: `${what}: отношение`, ours: ms / (before[what] ?? 1), goal: { most: MOST_RATIO } })
  }
  const undone = await run('undo')
  rows.push(
    { what: 'отмена, с', ours: undone.seconds },
    { what: 'осталось чатов', ours: await db.$count(threads, eq(threads.userId, USER)) },
  )
  await queue.close()
  await instance.close()
  printGoals([printTable(`Перенос ${CHATS} чатов`, rows)])
}

/** Chats that the person has before. */
async function fillOwn(db: Ctx['db']) {
  await db.execute(sql`insert into users (id, name, email) values (${USER}, 'u', 'importer@example.test')`)
  await db.execute(sql`insert into threads (id, user_id, title, current_leaf_id, updated_at)
    select 'own-thread-' || i, ${USER}, 'Свой чат ' || i, 'own-' || i || '-10', now() - i * interval '1 hour'
    from generate_series(1, ${OWN_CHATS}) i`)
  await db.execute(sql`insert into messages (id, thread_id, user_id, parent_id, role, content, status, search, created_at)
    select 'own-' || i || '-' || n, 'own-thread-' || i, ${USER}, case when n > 1 then 'own-' || i || '-' || (n - 1) end,
      case when n % 2 = 1 then 'user' else 'assistant' end, text, 'complete', to_tsvector('russian', text), now() - i * interval '1 hour' + n * interval '1 minute'
    from generate_series(1, ${OWN_CHATS}) i, generate_series(1, 10) n,
      lateral (select repeat('Обычный текст про договор и поставку номер ' || i || '. ', 8)
        || case when i = 77 then 'квитанция' else '' end as text) t`)
  await db.execute(sql`analyze`)
}

async function upload(db: Ctx['db'], deps: Parameters<typeof archiveChunks.receive>[0], path: string) {
  const { size } = await stat(path)
  const chunkBytes = 64 * 1024 ** 2
  await db.insert(imports).values({ id: 'bench', userId: USER, state: 'uploading' })
  const file = {
    importId: 'bench',
    number: 0,
    userId: USER,
    name: 'archive.zip',
    bytes: size,
    chunkBytes,
    storageKey: 'bench',
    received: 0,
  }
  while (file.received < size) {
    const end = Math.min(size, file.received + chunkBytes) - 1
    file.received =
      (await archiveChunks.receive(deps, file, file.received, createReadStream(path, { start: file.received, end }))) ??
      size
  }
  await db.insert(importFiles).values(file)
}

async function readings(ctx: Ctx): Promise<Record<string, number>> {
  const filter = (more: object = {}) => ThreadFilter.parse({ limit: 30, ...more })
  return {
    'список чатов': await timed(() => listThreads(ctx, filter())),
    // Each finds as much before as after, so that only the way to it is compared.
    'поиск частого слова': await timed(() => searchThreads(ctx, filter({ query: 'договор' }))),
    'поиск редкого слова': await timed(() => searchThreads(ctx, filter({ query: 'квитанция' }))),
    'поиск двух слов': await timed(() => searchThreads(ctx, filter({ query: 'обычный договор квитанция' }))),
    'открытие чата': await timed(() => readThread(ctx, 'own-thread-5')),
  }
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  await action()
  for (let i = 0; i < TIMES; i += 1) {
    const started = performance.now()
    await action()
    times.push(performance.now() - started)
  }
  return median(times)
}

/** Shards of chats, then sounds that fill it up: real archives of this size are mostly pictures and voices. */
async function writeArchive(path: string) {
  const out = createWriteStream(path)
  let written = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    written += chunk.length
    out.write(chunk)
  })
  const drained = () => new Promise<void>((done) => (out.writableNeedDrain ? out.once('drain', done) : done()))
  for (let from = 0; from < CHATS; from += SHARD) {
    const shard = new ZipDeflate(`conversations-${String(from / SHARD).padStart(3, '0')}.json`, { level: 1 })
    zip.add(shard)
    shard.push(strToU8('['))
    const to = Math.min(CHATS, from + SHARD)
    for (let i = from; i < to; i += 1) {
      shard.push(strToU8(JSON.stringify(chat(i)) + (i + 1 < to ? ',' : '')))
      await drained()
    }
    shard.push(strToU8(']'), true)
  }
  const noise = Buffer.alloc(8 * 1024 ** 2)
  for (let i = 0; i < noise.length; i += 4) noise.writeUInt32LE((Math.imul(i, 2_654_435_761) ^ (i << 7)) >>> 0, i)
  for (let i = 0; written + noise.length < BYTES; i += 1) {
    const sound = new ZipPassThrough(`audio/file_${i}.wav`)
    zip.add(sound)
    sound.push(noise, true)
    await drained()
  }
  zip.end()
  await new Promise<void>((done) => out.end(done))
}

function chat(i: number) {
  const id = `chat-${i}`
  const time = 1_680_000_000 + i * 3600
  const nodes = Array.from({ length: 10 }, (_, n) => {
    const text = Array.from({ length: 100 }, (_, w) => words[(i * 7 + n * 3 + w * w) % words.length]).join(' ')
    const content = { content_type: 'text', parts: [`${text} ${i}`] }
    const author = { role: n % 2 === 0 ? 'user' : 'assistant', name: null, metadata: {} }
    const metadata = { model_slug: 'gpt-4o', request_id: `request-${i}-${n}`, finish_details: { type: 'stop' } }
    const message = {
      id: `${id}-${n}`,
      author,
      create_time: time + n,
      content,
      status: 'finished_successfully',
      recipient: 'all',
      metadata,
    }
    const children = n < 9 ? [`${id}-${n + 1}`] : []
    return [`${id}-${n}`, { id: `${id}-${n}`, parent: n > 0 ? `${id}-${n - 1}` : null, children, message }]
  })
  return {
    ...{ id, conversation_id: id, title: `Чат номер ${i}`, create_time: time, update_time: time + 20 },
    ...{ mapping: Object.fromEntries(nodes), current_node: `${id}-9`, default_model_slug: 'gpt-4o' },
  }
}
