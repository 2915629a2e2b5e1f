/** The goals of all benchmarks. Times of the page are at a processor four times slower, unless stated otherwise. */

/** At most this much, at most so many times the floor, or at least this share of it. */
export type Goal = { most: number; timesFloor?: number } | { timesFloor: number } | { leastShare: number }

interface LoadGoals {
  /** JavaScript on the wire without headers, kB; e2e/size.spec.ts holds the same. */
  js: number
  lcp: { most: number; timesFloor: number }
}

const lcp = { most: 900, timesFloor: 1.5 }

export const loadGoals = {
  empty: { js: 111, lcp },
  signIn: { js: 87, lcp },
  thread: { js: 173, lcp },
} satisfies Record<string, LoadGoals>

export const goals = {
  page: {
    css: 20,
    requests: 14,
    blockingMs: 150,
    workSeconds: 0.8,
    callsBeforeContent: 0,
    callsOnReload: 4,
    shellMs: 300,
  },
  stream: { scriptCpu: 0.55, longestMs: 49, droppedTimesFloor: 1, secondsAfterFloor: 0.1, calls: 1 },
  threads: { openMs: 300, cachedMs: 100, idlePercent: 1 },
  /** By the number of streams; a figure without a goal is only shown. */
  streams: {
    cpuTimesFloor: { 100: 2, 300: 2 } as Record<number, number>,
    programCpuTimesFloor: 1.5,
    firstMs: { 10: { p50: 8 }, 100: { p50: 40, p99: 150 }, 300: { p99: 1200 } } as Record<
      number,
      { p50?: number; p99?: number }
    >,
    restMib: 130,
    peakMib: 250,
  },
  ledger: { leastShare: 0.45 },
  admin: { listMs: 150, statisticsMs: 250 },
  import: { peakMib: 300, timesBefore: 1.3 },
  install: { megabytes: 270, packages: 400, emptySeconds: 40, warmSeconds: 3 },
}
