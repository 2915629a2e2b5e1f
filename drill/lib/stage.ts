import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/lib/services.mjs'
import { type Answer, type AskOptions, ask, firstReading } from './answers.ts'
import type { Balancer } from './balancer.ts'
import { makeTrackedFolder } from './ending.ts'
import { createInstance, type Instance } from './instances.ts'
import { type Findings, noFindings } from './judge.ts'
import { timeFactor } from './limits.ts'
import type { FakeProvider } from './model.ts'
import { OWNER, type Person } from './people.ts'
import type { Postgres } from './postgres.ts'
import { BUCKET, S3_KEYS, type Service } from './small-services.ts'

/** What all scenarios share: services, the provider, the balancer, people. */
export interface Drill {
  postgres: Postgres
  redis: Service
  s3: Service
  provider: FakeProvider
  balancer: Balancer
  build: string
  /** Signed in already, in the database that every scenario gets a copy of. */
  people: Person[]
  streams: number
  isShort: boolean
}

/** The database with people and models that every scenario starts from. */
export const BASE = 'base'

/** The environment of a scenario: its own instances on its own database. */
export interface Stage extends Drill {
  database: string
  db: pg.Pool
  instances: Instance[]
  env: Record<string, string>
  answers: Answer[]
  findings: Findings
  fail: (text: string) => void
  ask: (person: Person, options?: Partial<AskOptions>) => Answer
  /** Sends one question from each user; every third reader disconnects repeatedly. */
  askAll: (options?: Partial<AskOptions>) => Answer[]
  newInstance: (name: string, env?: Record<string, string>, build?: string) => Promise<Instance>
  at: (index: number) => Instance
}

const RESTLESS_MS = 4000

export async function openStage(drill: Drill, database: string, more: Record<string, string> = {}): Promise<Stage> {
  const { postgres, balancer, people, streams } = drill
  const folder = makeTrackedFolder(join(tmpdir(), 'symbol-drill-data-'))
  const db = new pg.Pool({ connectionString: postgres.urlOf(database), max: 4, application_name: 'drill' })
  db.on('error', () => undefined)
  db.on('connect', (client) => client.on('error', () => undefined))
  const env = { ...settingsFor(drill, database), ...more }
  const findings = noFindings()
  const stage: Stage = {
    ...drill,
    database,
    db,
    env,
    findings,
    instances: [],
    answers: [],
    fail: (text) => {
      findings.errors += 1
      findings.details.push(text)
    },
    ask: (person, options = {}) => {
      const answer = ask(person, { at: balancer.url, ...options })
      stage.answers.push(answer)
      return answer
    },
    askAll: (options = {}) =>
      people.slice(0, streams).map((person, i) => stage.ask(person, { ...restlessness(i), ...options })),
    newInstance: async (name, own = {}, build = drill.build) =>
      createInstance({
        name,
        port: await freePort(),
        build,
        env: { ...env, DATA_DIR: join(folder, name), ...own },
      }),
    at: (index) => {
      const instance = stage.instances[index]
      if (!instance) throw new Error(`Нет сервера ${index}`)
      return instance
    },
  }
  return stage
}

const restlessness = (i: number) => (i % 3 === 2 ? { restlessMs: RESTLESS_MS } : {})

export async function startInstances(stage: Stage, names: string[]): Promise<void> {
  for (const name of names) stage.instances.push(await stage.newInstance(name))
  await Promise.all(stage.instances.map((instance) => instance.start()))
  stage.balancer.use(stage.instances)
}

function settingsFor({ postgres, redis, s3, provider, balancer }: Drill, database: string): Record<string, string> {
  return {
    DATABASE_URL: postgres.urlOf(database),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
    S3_REGION: 'local',
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: S3_KEYS.id,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
    APP_URL: balancer.url,
    AUTH_SECRET: 'a secret of the drill, known to everybody',
    ADMIN_EMAILS: OWNER,
    START_SYMBOLS: '100000000',
    PROVIDER_DRILL_BASE_URL: provider.baseUrl,
    PROVIDER_DRILL_API_KEY: 'drill',
    PROVIDER_OTHER_BASE_URL: provider.baseUrl,
    PROVIDER_OTHER_API_KEY: 'other',
    MODEL_FIRST_WORD_SECONDS: '4',
    MODEL_SILENCE_SECONDS: '5',
    DRAIN_SECONDS: '5',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
    // A few users send as much as many would, and all readers reconnect from one host.
    LIMITS: 'sends=100000/60, writes=100000/60, uploads=100000/60, open-streams=1000',
  }
}

/** Waits until the condition holds; false when it did not within the time. */
export async function until(seconds: number, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  const limit = performance.now() + seconds * timeFactor() * 1000
  while (performance.now() < limit) {
    if (await isSo()) return true
    await pause(50)
  }
  return isSo()
}

const hasText = (answer: Answer, symbols: number) => {
  const reading = firstReading(answer)
  return reading !== undefined && (reading.shown.length >= symbols || reading.endedAt !== null)
}

/** Waits until the readers see at least `symbols` of each answer. */
export async function untilFlowing(answers: Answer[], symbols = 100): Promise<void> {
  await until(20, () => answers.every((answer) => hasText(answer, symbols)))
}

/** Waits until all readers have ended, or the time is up; resolves to the seconds it took. */
export async function untilEnded(answers: Answer[], limitSeconds: number): Promise<number> {
  const started = performance.now()
  const all = Promise.all(answers.map((answer) => answer.ended()))
  await Promise.race([all, pause(limitSeconds * timeFactor() * 1000, undefined, { ref: false })])
  return (performance.now() - started) / 1000
}

export function reconcileProblems({ build, env }: Pick<Stage, 'build' | 'env'>): Promise<string[]> {
  return new Promise((done) => {
    const path = dirname(process.execPath)
    execFile(process.execPath, [`${build}/reconcile.js`], { env: { PATH: path, ...env } }, (error, stdout, stderr) => {
      const found = stdout.split('\n').filter((line) => line.startsWith('✗'))
      done(error && found.length === 0 ? [stderr.trim().split('\n')[0] || String(error)] : found)
    })
  })
}

export const secondsSince = (moment: number) => (performance.now() - moment) / 1000
