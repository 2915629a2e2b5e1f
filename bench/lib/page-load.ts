import type { Browser, CDPSession } from '@playwright/test'
import { openTab } from './browser.ts'
import { median, sleep, sum } from './numbers.ts'
import type { Person } from './people.ts'

const SLOWER = 4
const QUIET_MS = 1500
const PATIENCE_MS = 60_000
/** Longer than this a task is felt. */
const FELT_MS = 50

export interface LoadCost {
  js: number
  /** The part of it without which nobody can write. */
  jsFirst: number
  css: number
  fonts: number
  all: number
  requests: number
  lcp: number
  blocking: number
  /** Processor seconds of the page, slowed down as it is. */
  work: number
  /** Calls of the API when the page is loaded again. */
  calls: number
}

interface Traffic {
  byType: Record<string, number>
  requests: number
  calls: number
}

/** First visits on a slow machine, each with an empty cache; the middle of each figure. */
export async function measureLoad(browser: Browser, person: Person, url: string, times: number): Promise<LoadCost> {
  const costs: LoadCost[] = []
  for (let i = 0; i < times; i++) costs.push(await loadOnce(browser, person, url))
  const middle = (take: (cost: LoadCost) => number) => median(costs.map(take))
  return {
    js: middle(({ js }) => js),
    jsFirst: middle(({ jsFirst }) => jsFirst),
    css: middle(({ css }) => css),
    fonts: middle(({ fonts }) => fonts),
    all: middle(({ all }) => all),
    requests: middle(({ requests }) => requests),
    lcp: middle(({ lcp }) => lcp),
    blocking: middle(({ blocking }) => blocking),
    work: middle(({ work }) => work),
    calls: middle(({ calls }) => calls),
  }
}

async function loadOnce(browser: Browser, person: Person, url: string): Promise<LoadCost> {
  const { page, cdp, context, notify, cpu } = await openTab(browser, person, url)
  await cdp.send('Network.enable')
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const field = page.getByLabel('Сообщение', { exact: true })
  const traffic = watchTraffic(cdp)
  await page.goto(url)
  await field.waitFor({ timeout: PATIENCE_MS })
  const ready = traffic.take()
  await quiet(traffic)
  const { lcp, tasks } = await notify()
  const work = (await cpu()).all
  const first = traffic.take()
  await page.reload()
  await field.waitFor({ timeout: PATIENCE_MS })
  await quiet(traffic)
  const second = traffic.take()
  await context.close()
  const kilobytes = (type: string) => (first.byType[type] ?? 0) / 1000
  return {
    js: kilobytes('Script'),
    jsFirst: (ready.byType.Script ?? 0) / 1000,
    css: kilobytes('Stylesheet'),
    fonts: kilobytes('Font'),
    all: sum(Object.values(first.byType)) / 1000,
    requests: first.requests,
    lcp,
    blocking: sum(tasks.map(({ duration }) => Math.max(0, duration - FELT_MS))),
    work,
    calls: second.calls - first.calls,
  }
}

/** Counts what comes over the wire, as the browser itself counts it. */
function watchTraffic(cdp: CDPSession) {
  const counted: Traffic = { byType: {}, requests: 0, calls: 0 }
  const open = new Map<string, string>()
  let lastAt = performance.now()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (!request.url.startsWith('http') || open.has(requestId)) return
    const { pathname } = new URL(request.url)
    open.set(requestId, typeOf(pathname, type))
    counted.requests += 1
    if (pathname.startsWith('/api/')) counted.calls += 1
    lastAt = performance.now()
  })
  const finish = (requestId: string, bytes: number) => {
    const type = open.get(requestId)
    if (!type) return
    open.delete(requestId)
    counted.byType[type] = (counted.byType[type] ?? 0) + bytes
    lastAt = performance.now()
  }
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => finish(requestId, encodedDataLength))
  cdp.on('Network.loadingFailed', ({ requestId }) => finish(requestId, 0))
  return {
    /** What came so far. */
    take: (): Traffic => structuredClone(counted),
    isQuiet: () => open.size === 0 && performance.now() - lastAt > QUIET_MS,
  }
}

/** What is only announced comes without a type; its name tells. */
function typeOf(pathname: string, type: string | undefined): string {
  if (pathname.endsWith('.js')) return 'Script'
  if (pathname.endsWith('.css')) return 'Stylesheet'
  return type ?? 'Other'
}

async function quiet({ isQuiet }: { isQuiet: () => boolean }): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!isQuiet() && performance.now() < until) await sleep(100)
}
