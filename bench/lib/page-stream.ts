import type { Browser } from '@playwright/test'
import { openTab, type Tab } from './browser.ts'
import { longestTaskCpu } from './browser-trace.ts'
import { sleep, sum } from './numbers.ts'
import type { Person } from './people.ts'
import { lastWords, type Order, writeOrder } from './shapes.ts'

const FRAME_MS = 1000 / 60
const PATIENCE_MS = 60_000
const ORDER: Order = { kind: 'markdown', pieces: 1000, gapMs: 10, nonce: 'page' }
/** The answer cannot be whole before; until then nobody looks for its last words. */
const IDEAL_MS = ORDER.pieces * ORDER.gapMs

export interface PageStreamCost {
  scriptCpu: number
  allCpu: number
  /** The longest task as it was felt, and as much of it as was work. */
  longest: number
  longestCpu: number
  longTasks: number
  dropped: number
  seconds: number
}

/** A long Markdown answer written into a page, as the page feels it. */
export async function measureStream(browser: Browser, person: Person | null, url: string): Promise<PageStreamCost> {
  const tab = await openTab(browser, person, url)
  const { page, context } = tab
  await page.goto(url)
  const field = page.getByLabel('Сообщение', { exact: true })
  await field.waitFor({ timeout: PATIENCE_MS })
  await sleep(2500)
  await field.fill(writeOrder(ORDER))
  await page.evaluate(`probe.begin(${JSON.stringify(lastWords(ORDER.nonce))}, ${IDEAL_MS - 1000})`)
  const before = await tab.cpu()
  const { result: told, longestCpu } = await longestTaskCpu(browser, page, async () => {
    await field.press('Enter')
    return untilSeen(tab)
  })
  const after = await tab.cpu()
  await context.close()
  const gaps = told.frames.slice(1).map((time, i) => time - (told.frames[i] ?? time))
  return {
    scriptCpu: after.script - before.script,
    allCpu: after.all - before.all,
    longest: Math.max(0, ...told.tasks.map(({ duration }) => duration)),
    longestCpu,
    longTasks: told.tasks.length,
    dropped: sum(gaps.map((gap) => Math.max(0, Math.round(gap / FRAME_MS) - 1))),
    seconds: (told.seenAt - told.startedAt) / 1000,
  }
}

export async function untilSeen({ notify }: Pick<Tab, 'notify'>, everyMs = 300) {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const told = await notify()
    if (told.seenAt > 0) return told
    await sleep(everyMs)
  }
  throw new Error('The page never showed what it was asked for')
}
