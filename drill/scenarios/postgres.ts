import { setTimeout as pause } from 'node:timers/promises'
import { expectAlert } from '../lib/alerts.ts'
import type { Answer } from '../lib/answers.ts'
import { pollThreads } from '../lib/calls.ts'
import { isTooLong } from '../lib/limits.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, until, untilFlowing } from '../lib/stage.ts'

const READY_LIMIT_SECONDS = 2
const RESTARTS = 3
const RESTLESS_MS = 4000
const BETWEEN_RESTARTS_MS = 2000
/** A shorter outage is over before the next scrape. */
const NOTICEABLE_SECONDS = 8

/** Answers of different lengths: some end during the outage, some afterwards. Some readers reconnect repeatedly. */
function askMixed(stage: Stage, words: number[]): Answer[] {
  return stage.people
    .slice(0, stage.streams)
    .map((person, i) =>
      stage.ask(person, { words: words[i % words.length] ?? 100, restlessMs: i % 6 === 5 ? RESTLESS_MS : undefined }),
    )
}

/** Seconds until every instance is ready again. */
async function untilReady(stage: Stage): Promise<number> {
  const began = performance.now()
  const isReady = async () => (await Promise.all(stage.instances.map(({ ready }) => ready()))).every(isGood)
  if (!(await until(30, isReady))) stage.fail('серверы не готовы через 30 с')
  return secondsSince(began)
}
const isGood = ({ status }: { status: number }) => status === 200

function expectAlive(stage: Stage) {
  for (const { name, isRunning } of stage.instances) if (!isRunning()) stage.fail(`${name}: процесс умер`)
}

async function stopPostgres(stage: Stage, seconds: number, words: number[], times = 1): Promise<number> {
  await untilFlowing(askMixed(stage, words))
  const stopPolling = pollThreads(stage)
  let recovered = 0
  for (let i = 0; i < times; i++) {
    const gone = performance.now()
    await stage.postgres.stop()
    if (seconds >= NOTICEABLE_SECONDS) await expectAlert(stage, 'DatabaseDown')
    await pause(Math.max(0, seconds * 1000 - (performance.now() - gone)))
    await stage.postgres.start()
    recovered = Math.max(recovered, await untilReady(stage))
    if (i + 1 < times) await pause(BETWEEN_RESTARTS_MS)
  }
  await stopPolling()
  expectAlive(stage)
  return recovered
}

async function freezePostgres(stage: Stage, seconds: number, words: number[]): Promise<number> {
  await untilFlowing(askMixed(stage, words))
  stage.postgres.freeze()
  const thawing = pause(seconds * 1000)
  for (const instance of stage.instances) {
    const { seconds: waited } = await instance.ready()
    if (isTooLong(waited, READY_LIMIT_SECONDS)) stage.fail(`${instance.name}: готовность за ${waited.toFixed(1)} с`)
  }
  await thawing
  stage.postgres.thaw()
  const recovered = await untilReady(stage)
  expectAlive(stage)
  return recovered
}

const CUT_SECONDS = 8
const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    and application_name not like 'drill%'`

async function cutTransactions(stage: Stage): Promise<number> {
  const until = performance.now() + CUT_SECONDS * 1000
  let cut = 0
  while (performance.now() < until) {
    cut += (await stage.db.query(CUT)).rowCount ?? 0
    await pause(150)
  }
  return cut
}

export const postgres: Scenario[] = [
  {
    id: '7',
    name: 'быстрый перезапуск Postgres, три раза',
    isShort: true,
    run: (stage) => stopPostgres(stage, 0, [200, 300], RESTARTS),
  },
  {
    id: '8',
    name: 'Postgres нет 20 секунд (в краткой форме 8)',
    isShort: true,
    endSeconds: 40,
    run: (stage) => (stage.isShort ? stopPostgres(stage, 8, [60, 150, 200]) : stopPostgres(stage, 20, [60, 250, 600])),
  },
  {
    id: '9',
    name: 'Postgres нет 50 секунд',
    endSeconds: 60,
    run: (stage) => stopPostgres(stage, 50, [60, 400, 1200]),
  },
  {
    id: '10',
    name: 'Postgres завис на 12 секунд',
    endSeconds: 40,
    run: (stage) => freezePostgres(stage, 12, [60, 300]),
  },
  {
    id: '10b',
    name: 'Postgres завис на 25 секунд',
    endSeconds: 40,
    run: (stage) => freezePostgres(stage, 25, [60, 300, 600]),
  },
  {
    id: '11',
    name: 'соединения внутри транзакций рвутся',
    endSeconds: 40,
    run: async (stage) => {
      const long = askMixed(stage, [250])
      await untilFlowing(long)
      const cutting = cutTransactions(stage)
      const [person] = stage.people.slice(stage.streams)
      const began = performance.now()
      while (person && secondsSince(began) < CUT_SECONDS) await stage.ask(person, { words: 10, gapMs: 20 }).ended()
      if ((await cutting) === 0) stage.fail('ни одно соединение не порвано: проверка ничего не доказала')
      expectAlive(stage)
      return untilReady(stage)
    },
  },
]
