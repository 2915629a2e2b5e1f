import type { Browser, CDPSession } from '@playwright/test'
import { openTab, type Tab } from './browser.ts'
import { median, sleep, sum } from './numbers.ts'
import type { Peer } from './peer.ts'
import type { Person } from './people.ts'
import { type StaticPage, startStaticPage } from './static-page.ts'

const CPU_SLOWDOWN = 4
const QUIET_MS = 1500
const TIMEOUT_MS = 60_000
/** A page that has not painted within this time counts as not opened. */
const PAINT_MS = 15_000
/** Longer tasks delay the response to input noticeably. */
const NOTICEABLE_TASK_MS = 50

export interface StaticCost {
  all: number
  requests: number
  lcp: number
  blocking: number
  /** Processor seconds of the page, on the slowed down processor. */
  work: number
  /** The first paint of a second visit, milliseconds. */
  again: number
}

export interface PeerCost extends StaticCost {
  js: number
  ready: number
}

export interface LoadCost extends StaticCost {
  js: number
  /** The part of it without which a user cannot write. */
  jsFirst: number
  css: number
  fonts: number
  /** Milliseconds until the field of the page itself is there, and processor seconds of the page until then. */
  ready: number
  workFirst: number
  /** Calls of the API that were sent before the largest paint. */
  callsBefore: number
  /** Calls of the API when the page is loaded again. */
  calls: number
  /** The first paint of an offline visit; NaN when there is none. */
  offline: number
}

/** A screen, and the label of the field that is there when it can be used. */
export interface Screen {
  url: string
  person: Person | null
  field: string
}

interface Traffic {
  byType: Record<string, number>
  requests: number
  /** When the calls of the API were sent, as Unix times in milliseconds. */
  calls: number[]
}

/**
 * Measures first visits with a slow processor and an empty cache, each followed by a static page with the same text and
 * by the peer, so that other load on the machine affects all. Each visit comes from another site, like those of people:
 * from `about:blank` the browser would open the static page in the process that it has already, and only that page.
 * Returns the median of each figure.
 */
export async function measureLoad(browser: Browser, screen: Screen, times: number, peer: Peer | null = null) {
  const bare = await startStaticPage(await textOf(browser, screen))
  const [costs, floors, peers]: [LoadCost[], StaticCost[], PeerCost[]] = [[], [], []]
  for (let i = 0; i < times; i++) {
    costs.push(await loadOnce(browser, screen, bare.elsewhere))
    floors.push(await loadStatic(browser, bare))
    if (peer) peers.push(await loadPeer(browser, peer, bare.elsewhere))
  }
  await bare.stop()
  return { cost: medianOfEach(costs), floor: medianOfEach(floors), peer: peer && medianOfEach(peers) }
}

function medianOfEach<Cost extends object>(costs: Cost[]): Cost {
  const names = Object.keys(costs[0] ?? {}) as (keyof Cost)[]
  return Object.fromEntries(names.map((name) => [name, median(costs.map((cost) => Number(cost[name])))])) as Cost
}

async function textOf(browser: Browser, { url, person, field }: Screen): Promise<string> {
  const { page, context } = await openTab(browser, person, url)
  await page.goto(url)
  await page.getByLabel(field, { exact: true }).waitFor({ timeout: TIMEOUT_MS })
  await sleep(1000)
  const text: string = await page.evaluate('document.body.innerText')
  await context.close()
  return text
}

async function loadOnce(browser: Browser, { url, person, field }: Screen, elsewhere: string): Promise<LoadCost> {
  const tab = await openTab(browser, person, url)
  const { page, context, report, cpu } = tab
  const ready = () => untilField(tab, field)
  const traffic = await slowDown(tab, elsewhere)
  await page.goto(url)
  await ready()
  const [readyAt, { all: workFirst }] = await Promise.all([page.evaluate<number>('performance.now()'), cpu()])
  const jsFirst = (traffic.take().byType.Script ?? 0) / 1000
  const common = await commonCost(tab, traffic)
  const { lcp, origin } = await report()
  const first = traffic.take()
  await page.reload()
  await ready()
  await untilQuiet(traffic)
  const calls = traffic.take().calls.length - first.calls.length
  if (person) await untilStored(tab)
  await leaveFor(tab, elsewhere)
  const again = await paintOf(tab, url)
  await leaveFor(tab, elsewhere)
  await context.setOffline(true)
  const offline = await paintOf(tab, url)
  await context.close()
  const kilobytes = (type: string) => (first.byType[type] ?? 0) / 1000
  return {
    ...common,
    js: kilobytes('Script'),
    jsFirst,
    ready: readyAt,
    workFirst,
    css: kilobytes('Stylesheet'),
    fonts: kilobytes('Font'),
    callsBefore: first.calls.filter((at) => at < origin + lcp).length,
    calls,
    again,
    offline,
  }
}

/**
 * Waits for the field of the page itself, not of the shell shown before it. Without a locator, whose scripts in the
 * page take as long as the page itself on a slow processor.
 */
async function untilField({ cdp }: Tab, field: string): Promise<void> {
  const label = '(one) => one.ariaLabel ?? one.labels?.[0]?.textContent'
  const fields = `[...document.querySelectorAll('#root input, #root textarea')].map(${label})`
  await untilTrue(cdp, `${fields}.includes(${JSON.stringify(field)})`)
}

async function untilTrue(cdp: CDPSession, expression: string): Promise<void> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; ) {
    const { result } = await cdp.send('Runtime.evaluate', { expression })
    if (result.value === true) return
    await sleep(50)
  }
  throw new Error(`Not true on the page: ${expression}`)
}

async function loadStatic(browser: Browser, { url, elsewhere }: StaticPage): Promise<StaticCost> {
  const tab = await openTab(browser, null, url)
  const traffic = await slowDown(tab, elsewhere)
  await tab.page.goto(url)
  const cost = await commonCost(tab, traffic)
  await leaveFor(tab, elsewhere)
  const again = await paintOf(tab, url)
  await tab.context.close()
  return { ...cost, again }
}

async function loadPeer(browser: Browser, { url, field }: Peer, elsewhere: string): Promise<PeerCost> {
  const tab = await openTab(browser, null, url)
  const traffic = await slowDown(tab, elsewhere)
  await tab.page.goto(url)
  await untilTrue(tab.cdp, `document.querySelector(${JSON.stringify(field)}) !== null`)
  const ready = await tab.page.evaluate<number>('performance.now()')
  const cost = await commonCost(tab, traffic)
  const js = (traffic.take().byType.Script ?? 0) / 1000
  await leaveFor(tab, elsewhere)
  const again = await paintOf(tab, url)
  await tab.context.close()
  return { ...cost, js, ready, again }
}

/** A window or a page that has just been opened is still busy with itself, which would be measured too. */
const SETTLE_MS = 1000

async function leaveFor({ page }: Tab, elsewhere: string): Promise<void> {
  await page.goto(elsewhere)
  await sleep(SETTLE_MS)
}

async function slowDown(tab: Tab, elsewhere: string) {
  const { cdp } = tab
  await leaveFor(tab, elsewhere)
  await cdp.send('Network.enable')
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return watchTraffic(cdp)
}

/** The cost that both kinds of pages have, once the network is idle. */
async function commonCost({ report, cpu }: Tab, traffic: ReturnType<typeof watchTraffic>) {
  await untilQuiet(traffic)
  const { lcp, tasks } = await report()
  const { byType, requests } = traffic.take()
  const blocking = sum(tasks.map(({ duration }) => Math.max(0, duration - NOTICEABLE_TASK_MS)))
  return { all: sum(Object.values(byType)) / 1000, requests, lcp, blocking, work: (await cpu()).all }
}

/** The service worker stores layout and files a few seconds after the visit of a signed-in user. */
async function untilStored({ page }: Tab): Promise<void> {
  const isStored = `navigator.serviceWorker.ready.then(() => caches.has('seen'))`
  for (const until = performance.now() + PAINT_MS; performance.now() < until; await sleep(200))
    if (await page.evaluate(isStored)) return
}

/** The first paint of another visit; NaN when the page does not open. */
async function paintOf({ page, report }: Tab, url: string): Promise<number> {
  try {
    await page.goto(url, { waitUntil: 'commit', timeout: TIMEOUT_MS })
  } catch {
    return Number.NaN
  }
  for (const until = performance.now() + PAINT_MS; performance.now() < until; ) {
    const { painted } = await report()
    if (painted > 0) return painted
    await sleep(100)
  }
  return Number.NaN
}

/** Counts the compressed bodies of responses, without headers, which depend on the proxy. */
function watchTraffic(cdp: CDPSession) {
  const counted: Traffic = { byType: {}, requests: 0, calls: [] }
  const open = new Map<string, { type: string; headers: number }>()
  let lastAt = performance.now()
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type, wallTime }) => {
    if (!request.url.startsWith('http') || open.has(requestId)) return
    const { pathname } = new URL(request.url)
    open.set(requestId, { type: typeOf(pathname, type), headers: 0 })
    counted.requests += 1
    if (pathname.startsWith('/api/')) counted.calls.push(wallTime * 1000)
    lastAt = performance.now()
  })
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const one = open.get(requestId)
    if (one) one.headers = response.encodedDataLength
  })
  const finish = (requestId: string, bytes: number) => {
    const one = open.get(requestId)
    if (!one) return
    open.delete(requestId)
    counted.byType[one.type] = (counted.byType[one.type] ?? 0) + Math.max(0, bytes - one.headers)
    lastAt = performance.now()
  }
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => finish(requestId, encodedDataLength))
  cdp.on('Network.loadingFailed', ({ requestId }) => finish(requestId, 0))
  return {
    take: (): Traffic => structuredClone(counted),
    /** No traffic for a while, and not before `since`: a busy page sends its requests late. */
    isQuiet: (since: number) => open.size === 0 && performance.now() - Math.max(lastAt, since) > QUIET_MS,
  }
}

/** Preloaded files have no resource type, so the type is taken from the name. */
function typeOf(pathname: string, type: string | undefined): string {
  if (pathname.endsWith('.js')) return 'Script'
  if (pathname.endsWith('.css')) return 'Stylesheet'
  return type ?? 'Other'
}

async function untilQuiet({ isQuiet }: { isQuiet: (since: number) => boolean }): Promise<void> {
  const since = performance.now()
  while (!isQuiet(since) && performance.now() < since + TIMEOUT_MS) await sleep(100)
}
