import type { Browser } from '@playwright/test'
import { openTab, type Tab } from './browser.ts'
import { median, sleep } from './numbers.ts'
import { untilSeen } from './page-stream.ts'
import type { Person } from './people.ts'

const TRIES = 5
const IDLE_SECONDS = 10

/** A thread and the words that show it is there. */
export interface Place {
  threadId: string
  words: string
}

export interface ThreadsCost {
  /** From the click to the paint, milliseconds. */
  opening: number
  switching: number
  /** Share of a processor that a tab takes while nothing happens. */
  idle: number
}

export async function measureThreads(
  browser: Browser,
  person: Person,
  url: string,
  [large, other]: [Place, Place],
): Promise<ThreadsCost> {
  const openings: number[] = []
  const switchings: number[] = []
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
  return { opening: median(openings), switching: median(switchings), idle }
}

async function clickTo(tab: Tab, { threadId, words }: Place): Promise<number> {
  await tab.page.evaluate(`probe.begin(${JSON.stringify(words)})`)
  await tab.page.locator(`a[href$="${threadId}"]`).first().click()
  const { clickedAt, seenAt } = await untilSeen(tab, 50)
  await sleep(1000)
  return seenAt - clickedAt
}

async function idleShare({ cpu }: Tab): Promise<number> {
  await sleep(2000)
  const before = await cpu()
  await sleep(IDLE_SECONDS * 1000)
  return ((await cpu()).all - before.all) / IDLE_SECONDS
}
