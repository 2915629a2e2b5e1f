import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { fullChromiumPath } from '../../scripts/lib/machine.mjs'
import { atEnd } from './ending.ts'
import type { Person } from './people.ts'

export interface Reported {
  lcp: number
  /** The first paint with something in it. */
  painted: number
  tasks: { startTime: number; duration: number }[]
  frames: number[]
  clickedAt: number
  /** The last key. */
  pressedAt: number
  seenAt: number
  /** The Unix time in milliseconds that all these times are relative to. */
  origin: number
}

export interface Tab {
  page: Page
  cdp: CDPSession
  context: BrowserContext
  report: () => Promise<Reported>
  /** Processor seconds of the page's main thread so far: other work on the machine does not stretch them. */
  cpu: () => Promise<{ script: number; all: number }>
}

/** The full browser with its windows left out: in the headless shell every page is more than twice as fast. */
export async function openBrowser(): Promise<Browser> {
  const path = fullChromiumPath()
  if (!path) throw new Error('Нужен полный Chromium или Chrome (на Debian пакет chromium); CHROMIUM называет его файл')
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  atEnd(() => browser.close())
  return browser
}

/** A window of its own, with an empty cache, signed in as a user. */
export async function openTab(browser: Browser, person: Person | null, address: string): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'ru-RU' })
  if (person) {
    const { cookie, 'x-forwarded-for': from } = person.headers
    const at = cookie.indexOf('=')
    const { origin } = new URL(address)
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: origin }])
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': from })
  }
  context.on('weberror', (error) => console.error(error.error()))
  context.on('response', (response) => response.ok() || console.error(response.status(), response.url()))
  await context.addInitScript({ path: 'bench/lib/probe.js' })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return { page, cdp, context, report: () => reportOf(cdp), cpu: () => cpuOf(cdp) }
}

/** Not `page.evaluate`, which runs scripts of its own in a page before its first paint. */
async function reportOf(cdp: CDPSession): Promise<Reported> {
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'probe.report()', returnByValue: true })
  return result.value as Reported
}

async function cpuOf(cdp: CDPSession) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return { script: value('ScriptDuration'), all: value('TaskDuration') }
}
