import { randomBytes } from 'node:crypto'
import { type AnswerSpec, writeSpec } from './answer-spec.ts'
import type { LoadRequest, StreamRequest, StreamResult } from './load.ts'
import type { AnswerTimes } from './mock-model.ts'
import { median, quantile, sleep, sum } from './numbers.ts'
import { MODEL, type Person } from './people.ts'
import { measureUsage, postgresCpu, usage } from './usage.ts'
import type { Worker } from './workers.ts'

const CHUNKS = 200
const NORMAL_LOAD = { chunks: CHUNKS, gapMs: 20, rampMs: 4000 }
/** New code is slow until it is optimized, and a server in use is warm. */
const WARM_UP = { count: 60, chunks: CHUNKS, gapMs: 5, rampMs: 3000 }
const AT_REST_MS = 45_000
/** The server still stores and settles when the last reader has left. */
const SETTLE_MS = 500

export interface Side {
  pid: number
  port: number
  /** Who asks; null where no sign-in is needed. */
  people: Person[] | null
  /** Their programs ask, with API keys. */
  isByKey?: boolean
  streams: { spec: AnswerSpec; result: StreamResult }[]
}

export interface Level {
  count: number
  ours: Cost
  floor: Cost
}

interface Cost {
  cpuPerThousand: number
  /** Null for the embedded database, which has no process of its own. */
  postgresPerThousand: number | null
  peakMib: number
  /** Time to the first word, minus the time of the model. */
  added: { p50: number; p99: number }
  /** The part of it that passed before the model was asked. */
  before: number
  total: number
  reads: number
  wrongCharacters: number
  failures: string[]
}

interface Deps {
  load: Worker
  model: Worker
}

interface Round {
  cpu: number
  postgresCpu: number
  peakMib: number
  results: StreamResult[]
  modelTimes: Map<string, AnswerTimes>
}

/** Memory of idle servers: the garbage of their start is collected after about twenty seconds. */
export async function memoryAtRest(ours: Side, floor: Side): Promise<{ ours: number; floor: number }> {
  await sleep(AT_REST_MS)
  return { ours: usage(ours.pid).mib, floor: usage(floor.pid).mib }
}

/** Runs this many streams at once through both servers in turn, several times, so that other load affects both. */
export async function measureLevel(
  app: Deps,
  { ours, floor }: { ours: Side; floor: Side },
  count: number,
  rounds: () => number,
): Promise<Level> {
  const measured = { ours: [] as Round[], floor: [] as Round[] }
  for (const side of [floor, ours]) await run(app, side, WARM_UP)
  for (let round = 0; round < rounds(); round++) {
    measured.floor.push(await run(app, floor, { ...NORMAL_LOAD, count }))
    measured.ours.push(await run(app, ours, { ...NORMAL_LOAD, count }))
  }
  return { count, ours: costOf(measured.ours), floor: costOf(measured.floor) }
}

async function run(
  { load, model }: Deps,
  side: Side,
  { count, chunks, gapMs, rampMs }: typeof WARM_UP,
): Promise<Round> {
  const specs = Array.from({ length: count }, (): AnswerSpec => {
    return { kind: 'stream', chunks, gapMs, nonce: randomBytes(3).toString('hex') }
  })
  const streams = await Promise.all(specs.map((spec, i) => streamOf(side, spec, i)))
  const request: LoadRequest = {
    port: side.port,
    format: side.people && !side.isByKey ? 'answer' : 'openai',
    rampMs,
    streams,
  }
  await fetch(`http://127.0.0.1:${model.port}/times`)
  const postgresBefore = postgresCpu()
  const { result: results, ...cost } = await measureUsage(side.pid, async () => {
    const loaded = await load.ask<StreamResult[]>(request)
    await sleep(SETTLE_MS)
    return loaded
  })
  const times = (await (await fetch(`http://127.0.0.1:${model.port}/times`)).json()) as AnswerTimes[]
  side.streams.push(...specs.map((spec, i) => ({ spec, result: results[i] as StreamResult })))
  return {
    ...cost,
    postgresCpu: postgresCpu() - postgresBefore,
    results,
    modelTimes: new Map(times.map((time) => [time.nonce, time])),
  }
}

export async function streamOf(
  { people, port, isByKey }: Pick<Side, 'people' | 'port' | 'isByKey'>,
  spec: AnswerSpec,
  i: number,
): Promise<StreamRequest> {
  const content = writeSpec(spec)
  const person = people?.[i]
  if (!person || isByKey) {
    const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content }] })
    const headers: Record<string, string> = person
      ? { authorization: `Bearer ${person.apiKey}`, 'x-forwarded-for': person.headers['x-forwarded-for'] }
      : {}
    return { path: '/v1/chat/completions', headers, spec, body }
  }
  const headers = { ...person.headers, accept: 'text/event-stream' }
  const path = `/api/threads/${await newThread(port, person)}/message`
  return { path, headers, spec, body: JSON.stringify({ content }) }
}

async function newThread(port: number, { headers }: Person): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/threads`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ Model: { connect: { id: MODEL } } }),
  })
  if (!answer.ok) throw new Error(`No new thread: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

function costOf(rounds: Round[]): Cost {
  const results = rounds.flatMap((round) => round.results)
  const good = results.filter(({ failure, firstAt }) => !failure && firstAt > 0)
  const modelTimes = new Map(rounds.flatMap((round) => [...round.modelTimes]))
  const firsts = good.flatMap((result) => {
    const model = modelTimes.get(result.nonce)
    return model ? [{ ...result, model }] : []
  })
  const added = firsts.map(({ firstAt, sentAt, model }) => firstAt - sentAt - (model.firstAt - model.requestedAt))
  const thousands = (results.length * CHUNKS) / 1000
  const postgres = sum(rounds.map((round) => round.postgresCpu))
  return {
    cpuPerThousand: sum(rounds.map(({ cpu }) => cpu)) / thousands,
    postgresPerThousand: postgres > 0 ? postgres / thousands : null,
    peakMib: Math.max(...rounds.map(({ peakMib }) => peakMib)),
    added: { p50: median(added), p99: quantile(added, 0.99) },
    before: median(firsts.map(({ sentAt, model }) => model.requestedAt - sentAt)),
    total: median(good.map(({ endedAt, sentAt }) => endedAt - sentAt)),
    reads: median(good.map(({ reads }) => reads)),
    wrongCharacters: sum(results.map(({ wrongCharacters }) => wrongCharacters)),
    failures: results.flatMap(({ failure }) => failure ?? []),
  }
}
