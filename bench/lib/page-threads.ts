import type { Browser } from '@playwright/test'
import { openTab, type Tab } from './browser.ts'
import { median, sleep } from './numbers.ts'
import { untilSeen } from './page-stream.ts'
import type { Person } from './people.ts'

const TRIES = 5
const IDLE_SECONDS = 10

export interface BenchThread {
  threadId: string
  words: string
}

export interface ThreadsCost {
  opening: Wait
  switching: Wait
  /** Share of a processor that a tab takes while nothing happens. */
  idle: number
}

/** From the click to the paint, and how much of that the page worked; milliseconds. */
interface Wait {
  felt: number
  worked: number
}

export async function measureThreads(
  browser: Browser,
  person: Person,
  url: string,
  [large, other]: [BenchThread, BenchThread],
): Promise<ThreadsCost> {
  const openings: Wait[] = []
  const switchings: Wait[] = []
  let idle = Number.NaN
  for (let i = 0; i < TRIES; i++) {
    const tab = await openTab(browser, person, url)
    await tab.page.goto(url)
    await tab.page.locator(`a[href$="${large.threadId}"]`).first().waitFor({ timeout: 60_000 })
    await sleep(1500)
    openings.push(await clickTo(tab, large))
    await clickTo(tab, other)
    switchings.push(await clickTo(tab, large))
    if (i === 0) idle = await idleShare(tab)
    await tab.context.close()
  }
  return { opening: medianOf(openings), switching: medianOf(switchings), idle }
}

function medianOf(waits: Wait[]): Wait {
  return { felt: median(waits.map(({ felt }) => felt)), worked: median(waits.map(({ worked }) => worked)) }
}

async function clickTo(tab: Tab, { threadId, words }: BenchThread): Promise<Wait> {
  const found = tab.page.locator(`a[href$="${threadId}"]`).first()
  await found.scrollIntoViewIfNeeded()
  // The list of chats shows the same words beside the chat.
  await tab.page.evaluate(`probe.begin(${JSON.stringify(words)}, 0, '[role=log]')`)
  const link = await found.boundingBox()
  if (!link) throw new Error(`No link to ${threadId}`)
  const before = await tab.cpu()
  // Clicks by coordinates: a locator would run its own scripts within the measured time.
  await tab.page.mouse.click(link.x + link.width / 3, link.y + link.height / 2)
  const { clickedAt, seenAt } = await untilSeen(tab, 50)
  const after = await tab.cpu()
  await sleep(1000)
  return { felt: seenAt - clickedAt, worked: (after.all - before.all) * 1000 }
}

async function idleShare({ cpu }: Tab): Promise<number> {
  await sleep(2000)
  const before = await cpu()
  await sleep(IDLE_SECONDS * 1000)
  return ((await cpu()).all - before.all) / IDLE_SECONDS
}
