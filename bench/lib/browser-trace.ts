import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of work in it, without the time it had to wait for a processor. */
  tdur?: number
  args?: { name?: string }
}

/** Runs something and tells how long the longest task of the page's main thread worked meanwhile, in milliseconds. */
export async function longestTaskCpu<Result>(browser: Browser, page: Page, action: () => Promise<Result>) {
  const path = join(tmpdir(), `symbol-bench-trace-${process.pid}.json`)
  await browser.startTracing(page, { path, categories: ['toplevel', '__metadata'] })
  const result = await action()
  await browser.stopTracing()
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8')) as { traceEvents: TraceEvent[] }
  rmSync(path)
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  )
  const work = traceEvents.filter(({ pid, tid }) => mains.has(`${pid}:${tid}`)).map(({ tdur = 0 }) => tdur)
  return { result, longestCpu: work.reduce((most, one) => Math.max(most, one), 0) / 1000 }
}
