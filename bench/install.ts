import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../scripts/lib/services.mjs'
import { atEnd, runBench } from './lib/ending.ts'
import { goals } from './lib/goals.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'

/**
 * What `npm start` costs in a clone of the last commit: seconds, and with an empty cache the packages on the disk.
 * Run: npm run bench:install -- [--empty-cache, which needs the network]
 */

const { values: flags } = parseArgs({ options: { 'empty-cache': { type: 'boolean', default: false } } })
const LIMIT_SECONDS = 600

await runBench(LIMIT_SECONDS, async () => {
  const { megabytes, packages, emptySeconds, warmSeconds } = goals.install
  const rows: Row[] = []
  if (flags['empty-cache']) {
    const folder = clone()
    const seconds = await startIn(folder, { npm_config_cache: temporary('npm') })
    const installed = join(folder, 'node_modules')
    rows.push(
      { what: 'npm start из клона, пустой кэш, с', ours: seconds, goal: { most: emptySeconds } },
      { what: 'node_modules, МиБ', ours: diskMib(installed), goal: { most: megabytes }, isExact: true },
      { what: 'пакетов', ours: packagesIn(installed), goal: { most: packages }, isExact: true },
    )
  }
  const folder = clone()
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  rows.push({ what: 'npm start: пакеты есть, сборки нет, с', ours: await startIn(folder) })
  rows.push({ what: 'npm start: всё готово, с', ours: await startIn(folder), goal: { most: warmSeconds } })
  printGoals([printTable('Установка и запуск', rows)])
  return true
})

/** Allocated disk space; a file with several hard links counts once. */
function diskMib(folder: string): number {
  const seen = new Set<number>()
  const bytesOf = (path: string): number => {
    const { ino, blocks } = lstatSync(path)
    if (seen.has(ino)) return 0
    seen.add(ino)
    return blocks * 512
  }
  let bytes = 0
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    bytes += bytesOf(join(parentPath, name))
  return bytes / 2 ** 20
}

/** As npm has noted what it installed. */
function packagesIn(folder: string): number {
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { packages: object }
  return Object.keys(packages).length
}

function temporary(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `symbol-bench-${name}-`))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function clone(): string {
  const folder = temporary('clone')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${resolve('.')}`, folder])
  return folder
}

/** Seconds from the command until the server is ready. */
async function startIn(folder: string, settings: Record<string, string> = {}): Promise<number> {
  const port = String(await freePort())
  const started = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...ownEnv(), PORT: port, DATA_DIR: join(folder, 'data'), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: npm starts the server as a child.
    detached: true,
  })
  atEnd(() => endGroup(child))
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (data: Buffer) => data.toString().includes('Сборка:') && done())
    child.once('exit', (code) => fail(new Error(`npm start завершился с кодом ${code}`)))
  })
  const seconds = (performance.now() - started) / 1000
  await endGroup(child)
  return seconds
}

/** Certificates and proxies, which npm needs, but no settings: a database of this machine is not for measuring. */
function ownEnv(): NodeJS.ProcessEnv {
  const kept = /^(PATH|HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)))
}

function endGroup(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return done()
    child.removeAllListeners('exit').once('exit', () => done())
    process.kill(-child.pid, 'SIGTERM')
  })
}
