import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { postgresFolder } from '../../scripts/lib/machine.mjs'
import { freePort } from '../../scripts/lib/services.mjs'
import { makeTrackedFolder } from './ending.ts'
import { end, familyOf, isRunning, signalAll, startProcess, untilPortOpens } from './processes.ts'

/** A real Postgres that can be stopped, started again on the same data, and frozen. */
export interface Postgres {
  urlOf: (database: string) => string
  create: (database: string, template?: string) => Promise<void>
  start: () => Promise<void>
  /** A fast shutdown: connections are closed, no data is lost. */
  stop: () => Promise<void>
  freeze: () => void
  thaw: () => void
  /** Restores it to a running state, whatever a scenario did. */
  restore: () => Promise<void>
}

export async function openPostgres(): Promise<Postgres> {
  const bin = postgresFolder()
  if (!bin) throw new Error('Postgres не найден: установите его')
  const folder = makeTrackedFolder(join(tmpdir(), 'symbol-drill-postgres-'))
  // Postgres refuses to run as root.
  const owner = process.getuid?.() === 0 ? postgresUser() : {}
  if (owner.uid && owner.gid) chownSync(folder, owner.uid, owner.gid)
  const init = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(bin, 'initdb'), init, { ...owner, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  let child: ChildProcess | null = null

  const postgres: Postgres = {
    urlOf,
    create: (database, template = 'template0') =>
      command(urlOf('postgres'), `create database ${database} template ${template}`),
    start: async () => {
      const args = ['-D', folder, ...flags]
      child = startProcess({ name: 'postgres', command: join(bin, 'postgres'), args, cwd: folder, owner })
      await untilPortOpens(port, child)
      await untilAnswers(urlOf('postgres'))
    },
    stop: async () => {
      if (child) await end(child, 'SIGINT')
    },
    freeze: () => signalAll(familyOf(child?.pid ?? 0), 'SIGSTOP'),
    thaw: () => signalAll(familyOf(child?.pid ?? 0), 'SIGCONT'),
    restore: async () => {
      if (child && isRunning(child)) postgres.thaw()
      else await postgres.start()
    },
  }
  await postgres.start()
  return postgres
}

function postgresUser(): { uid?: number; gid?: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function command(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Waits for a query: Postgres accepts connections before it can execute one. */
async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await command(url, 'select 1')
    } catch (error) {
      if (tries === 100) throw error
      await pause(50)
    }
  }
}
