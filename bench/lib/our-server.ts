import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Db } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedModels } from '#server/features/models/start-models.ts'
import { SERVER_FLAGS } from '../../scripts/lib/server-flags.mjs'
import { freePort, startPostgres } from '../../scripts/lib/services.mjs'
import { atEnd } from './ending.ts'
import { sleep } from './numbers.ts'
import { addModel, SECRET } from './people.ts'
import { endProcess } from './workers.ts'

export interface Options {
  embedded: boolean
  /** A Postgres that is filled already, instead of one of our own. */
  url?: string | undefined
  nodeFlags?: string[]
  /** The address that browsers use, when a balancer stands in front. */
  origin?: string | undefined
  redisUrl?: string | undefined
}

/** A few users send as many requests here as thousands would. */
const UNLIMITED = ['sends', 'lists', 'writes', 'uploads']
  .map((limit) => `${limit}=1000000/60`)
  .concat('open-streams=100000')
  .join()

export interface OurServer {
  url: string
  port: number
  pid: number
  /** Stops the server and reads its database: an embedded one can be opened by one process only. */
  stopAndRead: <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>
}

/** The built server with the fake model behind it, on a fresh database that `prepare` fills before the start. */
export async function startOurs<Prepared>(
  { embedded, url: given, nodeFlags = [], origin, redisUrl }: Options,
  modelPort: number,
  prepare: (db: Db, origin: string, dataDir: string) => Promise<Prepared>,
): Promise<OurServer & { prepared: Prepared }> {
  const build = copyBuild()
  const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const own = embedded || given ? null : await startPostgres()
  const postgres = given ? { url: given } : own
  if (!embedded && !postgres) throw new Error('Postgres не найден: установите его или добавьте --embedded')
  if (own) atEnd(own.stop)
  const where = postgres ? { url: postgres.url } : { folder: join(folder, 'database') }
  const port = await freePort()
  const url = `http://localhost:${port}`

  const prepared = await withDatabase(where, async (db) => {
    await seedModels(db)
    await addModel(db)
    return prepare(db, origin ?? url, folder)
  })
  const child = await run([...SERVER_FLAGS, ...nodeFlags, join(build, 'server.js')], {
    DATA_DIR: folder,
    PORT: String(port),
    APP_URL: origin ?? url,
    AUTH_SECRET: SECRET,
    PROVIDER_BENCH_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
    PROVIDER_BENCH_API_KEY: 'bench',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    LIMITS: UNLIMITED,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  })
  return {
    url,
    port,
    pid: child.pid ?? 0,
    prepared,
    stopAndRead: async (read) => {
      await endProcess(child, 'SIGTERM')
      return withDatabase(where, read)
    },
  }
}

async function withDatabase<Result>(
  where: Parameters<typeof openDatabase>[0],
  action: (db: Db) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(where, sqlFolders())
  await untilReady(database.migrate)
  try {
    return await action(database.db)
  } finally {
    await database.close()
  }
}

/** A database that has just been started takes connections before it can answer. */
async function untilReady(action: () => Promise<void>, tries = 20): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (tries === 0 || !String(error).includes('starting up')) throw error
    await sleep(250)
    await untilReady(action, tries - 1)
  }
}

/** Copies the build, which may be replaced meanwhile, within the project: packages are found only from there. */
function copyBuild(): string {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync('.cache/bench-')
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('dist', folder, { recursive: true })
  return folder
}

async function run(args: string[], settings: Record<string, string>): Promise<ChildProcess> {
  const env = { PATH: dirname(process.execPath), ...settings }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => endProcess(child, 'SIGKILL'))
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (data: Buffer) => data.toString().includes('Сборка:') && done())
    child.once('exit', (code) => fail(new Error(`Сервер завершился с кодом ${code}`)))
  })
  return child
}
