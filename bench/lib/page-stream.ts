import type { Browser } from '@playwright/test'
import { type AnswerSpec, lastWords, writeSpec } from './answer-spec.ts'
import { openTab, type Tab } from './browser.ts'
import { longestTaskCpu } from './browser-trace.ts'
import { now } from './clock.ts'
import type { AnswerTimes } from './mock-model.ts'
import { sleep, sum } from './numbers.ts'
import type { Person } from './people.ts'
import { type Side, streamOf } from './stream-levels.ts'

const FRAME_MS = 1000 / 60
const TIMEOUT_MS = 60_000
const SPEC = { kind: 'markdown', chunks: 1000, gapMs: 10 } as const
/** Lets the page finish its work on the typed text, which is not part of the measurement. */
const SETTLED_MS = 700
/** Time for the calls that the page makes after the answer. */
const SETTLE_MS = 1500
/** The answer cannot be complete earlier, so its end is not searched for until then. */
const IDEAL_MS = SPEC.chunks * SPEC.gapMs

export interface PageStreamCost {
  scriptCpu: number
  allCpu: number
  /** The longest task in wall time, and its processor time. */
  longest: number
  longestCpu: number
  longTasks: number
  dropped: number
  /** From the key that sends the question to the paint of the whole answer. */
  seconds: number
  /** From that key to the model, and from its last chunk to the paint; seconds. */
  beforeModel: number
  afterModel: number
  calls: number
}

const WARM_UPS = 10

/** A server that has just started is slower than it will be. */
export async function warmUp(side: Pick<Side, 'people' | 'port'>): Promise<void> {
  for (let i = 0; i < WARM_UPS; i++) {
    const spec: AnswerSpec = { kind: 'stream', chunks: 20, gapMs: 0, nonce: `warm${i}` }
    const { path, headers, body } = await streamOf(side, spec, 0)
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    await (await fetch(`http://127.0.0.1:${side.port}${path}`, sent)).text()
  }
}

/**
 * Two answers: the processor is measured in one, frames and tasks are watched in the other, because counting frames
 * takes time too.
 */
export async function measureStream(
  browser: Browser,
  person: Person | null,
  url: string,
  modelPort: number,
): Promise<PageStreamCost> {
  const { scriptCpu, allCpu } = await streamOnce(browser, person, url, { nonce: 'unwatched', isWatched: false })
  await modelTimes(modelPort)
  const watched = await streamOnce(browser, person, url, { nonce: WATCHED, isWatched: true })
  const { measured, longestCpu, calls } = watched
  const model = (await modelTimes(modelPort)).find(({ nonce }) => nonce === WATCHED)
  // The model uses the monotonic clock, the page Unix time.
  const usual = (time = Number.NaN) => time + Date.now() - now()
  const gaps = measured.frames.slice(1).map((time, i) => time - (measured.frames[i] ?? time))
  return {
    scriptCpu,
    allCpu,
    longest: Math.max(0, ...measured.tasks.map(({ duration }) => duration)),
    longestCpu,
    longTasks: measured.tasks.length,
    dropped: sum(gaps.map((gap) => Math.max(0, Math.round(gap / FRAME_MS) - 1))),
    seconds: (measured.seenAt - measured.pressedAt) / 1000,
    beforeModel: (usual(model?.requestedAt) - measured.origin - measured.pressedAt) / 1000,
    afterModel: (measured.origin + measured.seenAt - usual(model?.lastAt)) / 1000,
    calls,
  }
}

const WATCHED = 'watched'

interface Question {
  nonce: string
  isWatched: boolean
}

/** Asks for one answer and waits until all of it has been painted. */
async function streamOnce(browser: Browser, person: Person | null, url: string, { nonce, isWatched }: Question) {
  const tab = await openTab(browser, person, url)
  const { page, context } = tab
  await page.goto(url)
  const field = page.getByLabel('Сообщение', { exact: true })
  await field.waitFor({ timeout: TIMEOUT_MS })
  await sleep(2500)
  await field.fill(writeSpec({ ...SPEC, nonce }))
  await sleep(SETTLED_MS)
  const calls = await countCalls(tab)
  await page.evaluate(`probe.begin(${JSON.stringify(lastWords(nonce))}, ${IDEAL_MS - 1000})`)
  const ask = async () => {
    await field.press('Enter')
    return untilSeen(tab)
  }
  if (isWatched) await page.evaluate('probe.countFrames()')
  const before = await tab.cpu()
  const { result: measured, longestCpu } = isWatched
    ? await longestTaskCpu(browser, page, ask)
    : { result: await ask(), longestCpu: Number.NaN }
  const after = await tab.cpu()
  await sleep(SETTLE_MS)
  await context.close()
  const cost = { scriptCpu: after.script - before.script, allCpu: after.all - before.all }
  return { ...cost, longestCpu, measured, calls: calls() }
}

async function countCalls({ cdp }: Tab): Promise<() => number> {
  let count = 0
  await cdp.send('Network.enable')
  cdp.on('Network.requestWillBeSent', ({ request }) => {
    if (new URL(request.url).pathname.startsWith('/api/')) count += 1
  })
  return () => count
}

async function modelTimes(port: number): Promise<AnswerTimes[]> {
  return (await (await fetch(`http://127.0.0.1:${port}/times`)).json()) as AnswerTimes[]
}

export async function untilSeen({ report }: Pick<Tab, 'report'>, everyMs = 300) {
  const until = performance.now() + TIMEOUT_MS
  while (performance.now() < until) {
    const measured = await report()
    if (measured.seenAt > 0) return measured
    await sleep(everyMs)
  }
  throw new Error('The page never showed what it was asked for')
}
