import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { findRegressions } from './lib/compare.ts'
import { type Machine, mergeParts, type ResultPart, readResults, readTables, writeResults } from './lib/results.ts'
import { printSummary } from './lib/summary.ts'
import { endProcess } from './lib/workers.ts'

/**
 * Runs all benchmarks that have goals, one after another; then prints the goals that are not met and the figures that
 * are worse than those of the last run, which are stored in a file.
 * Run: npm run bench -- [--only page,streams] [--save file] [--against file] [--empty-cache] [--small]
 */

const LAST = '.cache/bench/last.json'
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    save: { type: 'string', default: LAST },
    against: { type: 'string' },
    'empty-cache': { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
  },
})

const argsIf = (flag: boolean, ...args: string[]) => (flag ? args : [])
const parts: Record<string, string[]> = {
  page: ['bench/page.ts', ...argsIf(flags.small, '--loads', '3')],
  streams: ['bench/streams.ts'],
  ledger: ['bench/ledger.ts'],
  admin: ['bench/admin.ts', ...argsIf(flags.small, '--small')],
  transactions: ['bench/transactions.ts', ...argsIf(flags.small, '--rows', '20000')],
  install: ['bench/install.ts', ...argsIf(flags['empty-cache'], '--empty-cache')],
}
const wanted = flags.only?.split(',') ?? Object.keys(parts)
const unknown = wanted.filter((name) => !parts[name])
if (unknown.length > 0) {
  console.error(`Нет таких частей: ${unknown.join(', ')}. Есть: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const machine: Machine = {
  node: process.version,
  processor: cpus()[0]?.model ?? '',
  cores: cpus().length,
  memoryMib: Math.round(totalmem() / 2 ** 20),
  load: loadavg()[0] ?? 0,
}
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim()
const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-tables-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

await ensureBuilt()
const measured: ResultPart[] = []
for (const part of wanted) measured.push(await run(part))

const last = readResults(flags.save)
const before = flags.against ? readResults(flags.against) : last
if (flags.against && !before) console.error(`Нет файла ${flags.against}: сравнить не с чем.`)
writeResults(flags.save, { version: 1, machine, parts: mergeParts(last?.parts ?? [], measured) })
printSummary(measured, before && findRegressions(before.parts, measured))
console.log(`Числа записаны в ${flags.save}.`)
process.exitCode = measured.every(({ isCorrect }) => isCorrect) ? 0 : 1

/** Each part runs in its own process, so that memory left by one does not slow down the next. */
async function run(part: string): Promise<ResultPart> {
  const path = join(folder, `${part}.json`)
  const child = spawn(process.execPath, ['--import', 'tsx', ...(parts[part] ?? [])], {
    env: { ...process.env, BENCH_TABLES: path },
    stdio: 'inherit',
  })
  const stop = () => void endProcess(child, 'SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  return { part, date: new Date().toISOString(), commit, isCorrect: code === 0, tables: readTables(path) }
}
