import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { runToEnd } from './lib/ending.ts'
import { isClean } from './lib/judge.ts'
import { allowForSharedMachine, timeFactor } from './lib/limits.ts'
import { openDrill } from './lib/open.ts'
import { createRunner } from './lib/run.ts'
import { printDetails, printTable, type Row } from './lib/table.ts'
import { scenarios } from './scenarios/all.ts'

/**
 * A fault drill on the built product: real Postgres, Redis and S3, three instances behind a balancer, readers that
 * reconnect as the page does. Services and instances are killed, frozen or disconnected in turn; afterwards nothing may
 * be lost, charged wrongly or stuck. With `--beside` other tests share the machine, and time limits are doubled.
 * Run: npm run drill -- [--short] [--only 4,7] [--streams 50] [--as-is] [--beside] [--report file]
 */

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    streams: { type: 'string' },
    'as-is': { type: 'boolean', default: false },
    report: { type: 'string' },
    beside: { type: 'boolean', default: false },
  },
})
const LIMIT_SECONDS = flags.short ? 1200 : 3600
const streams = Number(flags.streams ?? (flags.short ? 12 : 50))
const only = flags.only?.split(',')
const chosen = scenarios.filter(({ id, isShort }) =>
  only ? only.includes(id) || only.includes(String(Number.parseInt(id, 10))) : isShort || !flags.short,
)

if (flags.beside) allowForSharedMachine()
if (!flags['as-is']) await ensureBuilt()
await runToEnd(LIMIT_SECONDS, async () => {
  const began = performance.now()
  const drill = await openDrill(streams, flags.short)
  const runScenario = createRunner(drill)
  const rows: Row[] = []
  for (const scenario of chosen) {
    const started = performance.now()
    const row = await runScenario(scenario)
    const mark = row.skipped ? '–' : isClean(row) ? '✓' : '✗'
    console.log(`${mark} ${row.id} ${row.name}: ${((performance.now() - started) / 1000).toFixed(0)} с`)
    if (!isClean(row)) printDetails(row)
    rows.push(row)
  }
  printTable(rows)
  const dirty = rows.filter((row) => !isClean(row)).length
  const skipped = rows.filter((row) => row.skipped).length
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`\nСценариев ${rows.length}, из них нечистых ${dirty}, пропущено ${skipped}. ${seconds} с.`)
  if (timeFactor() > 1)
    console.log(`Машина занята: пределы времени были мягче, сейчас в ${timeFactor().toFixed(1)} раза.`)
  if (flags.report) {
    mkdirSync(dirname(flags.report), { recursive: true })
    writeFileSync(flags.report, JSON.stringify({ passed: rows.length - dirty - skipped, failed: dirty, skipped }))
  }
  return dirty === 0
})
