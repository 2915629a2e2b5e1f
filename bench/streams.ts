import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { runBench } from './lib/ending.ts'
import { startOurs } from './lib/our-server.ts'
import { addPeople } from './lib/people.ts'
import { ledgerProblems, wrongAnswers } from './lib/stored-answers.ts'
import { type Level, measureLevel, memoryAtRest, type Side } from './lib/stream-levels.ts'
import { levelRows, memoryRows, programRows } from './lib/stream-rows.ts'
import { printGoals, printTable } from './lib/table.ts'
import { addLongAndShort, longAgainstShort } from './lib/thread-costs.ts'
import { startWorker } from './lib/workers.ts'

/**
 * What it costs the server to pass answers on, beside a bare pass-through that stores nothing: 10, 100 and 300 streams
 * of 200 chunks 20 ms apart. Then whether long threads and long lists cost more than short ones.
 * Run: npm run bench:streams -- [--embedded] [--rounds 3] [--levels 10,100,300] [--as-is] [--node-flags='…'] [--profile folder]
 */

const { values: flags } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    'as-is': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '2' },
    levels: { type: 'string', default: '10,100,300' },
    'node-flags': { type: 'string', default: '' },
    profile: { type: 'string' },
  },
})
const { embedded, profile } = flags
const counts = flags.levels.split(',').map(Number)
const LIMIT_SECONDS = 300
/** Streams of programs at once, beside the same number through the floor. */
const PROGRAMS = 100
/** After this time each level has one round only, so that a busy machine stays within the limit. */
const ENOUGH_SECONDS = 75

if (!flags['as-is']) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const model = await startWorker('mock-model')
  const bare = await startWorker('floor', [`http://127.0.0.1:${model.port}`])
  const load = await startWorker('load')
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const nodeFlags = [...flags['node-flags'].split(' ').filter(Boolean), ...profiling]
  const server = await startOurs({ embedded, nodeFlags }, model.port, async (db, origin) => ({
    people: await addPeople(db, Math.max(...counts), origin),
    costs: await addLongAndShort(db, origin),
  }))
  const ours: Side = { pid: server.pid, port: server.port, people: server.prepared.people, streams: [] }
  const floor: Side = { pid: bare.pid, port: bare.port, people: null, streams: [] }

  const rest = await memoryAtRest(ours, floor)
  const levels: Level[] = []
  const until = performance.now() + ENOUGH_SECONDS * 1000
  const rounds = () => (performance.now() < until ? Number(flags.rounds) : 1)
  for (const count of counts) {
    console.log(`${count} потоков…`)
    levels.push(await measureLevel({ load, model }, { ours, floor }, count, rounds))
  }
  const programs: Side = { ...ours, isByKey: true, streams: [] }
  const programCount = Math.min(PROGRAMS, ...counts.slice(-1))
  console.log(`${programCount} потоков программ…`)
  const program = await measureLevel({ load, model }, { ours: programs, floor }, programCount, rounds)
  const rows = [
    ...levels.flatMap((level) => levelRows(level, embedded)),
    ...programRows(program, embedded),
    ...memoryRows(levels, rest, embedded),
  ]
  printGoals([
    printTable(`Потоки по 200 кусочков, ${embedded ? 'встроенная база' : 'Postgres'}`, rows),
    printTable('Длинное против короткого', await longAgainstShort(server.port, server.prepared.costs)),
  ])
  const failures = [...levels, program].flatMap((level) => level.ours.failures)
  for (const failure of failures.slice(0, 5)) console.log(`  ошибка: ${failure}`)

  const { wrong, problems } = await server.stopAndRead(async (db) => ({
    wrong: await wrongAnswers(db, ours.streams),
    problems: await ledgerProblems(db),
  }))
  console.log(`Сохранено не то, что сказала модель: ${wrong.length}. Нарушений в книгах: ${problems.length}.`)
  for (const problem of [...wrong, ...problems].slice(0, 5)) console.log(`  ${problem}`)
  return wrong.length === 0 && problems.length === 0 && failures.length === 0
})
