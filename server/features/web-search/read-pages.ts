import type { Pool } from '#server/files/pool.ts'
import { countWebPage } from '#server/http/metrics.ts'
import { type FetchedPage, PageError, type PageFailure } from '#server/internet/fetch-page.ts'

export interface ReadPage {
  url: string
  site: string
  title: string
  /** The day of publication as YYYY-MM-DD. */
  date: string | null
  content: string
  /** Where the pages of a PDF begin. */
  pages: { name: string; offset: number }[]
}

export type FetchPage = (address: string, signal: AbortSignal) => Promise<FetchedPage>

export interface ReadDeps {
  fetchPage: FetchPage
  pool: Pick<Pool, 'use'>
}

/** Title and date are given for a page of a search result only. */
export interface PageToRead {
  url: string
  title?: string
  date?: string | null
}

const AT_ONCE = 6
const ALL_MS = 10_000
/** The rest of a long page seldom matters, and ranking it would take long. */
const MAX_CONTENT = 40_000

/** Reads pages at the same time, until `most` are read or the time is over. Pages that cannot be read are left out. */
export async function readPages(
  deps: ReadDeps,
  wanted: readonly PageToRead[],
  most: number,
  userId: string,
  signal: AbortSignal,
  allMs = ALL_MS,
): Promise<ReadPage[]> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(allMs)])
  const queue = wanted.map((page, at) => ({ page, at }))
  const read: { page: ReadPage; at: number }[] = []

  /** Each reads one page; after one that fails it takes the next. */
  async function work(): Promise<void> {
    for (let next = queue.shift(); next && !ending.aborted; next = queue.shift()) {
      const page = await readOne(deps, next.page, userId, ending)
      if (page) return void read.push({ page, at: next.at })
    }
  }

  await Promise.all(Array.from({ length: Math.min(AT_ONCE, most, wanted.length) }, work))
  signal.throwIfAborted()
  return read.toSorted((a, b) => a.at - b.at).map(({ page }) => page)
}

async function readOne(
  { fetchPage, pool }: ReadDeps,
  { url, title, date }: PageToRead,
  userId: string,
  signal: AbortSignal,
): Promise<ReadPage | null> {
  try {
    const fetched = await fetchPage(url, signal)
    const { mime, bytes, charset } = fetched
    const text = await orAborted(
      pool.use((parse) => parse({ mime, bytes, page: { charset } }), userId),
      signal,
    )
    const host = new URL(fetched.url).hostname.replace(/^www\./, '')
    countWebPage('read')
    return {
      url: fetched.url,
      site: text.about?.site ?? host,
      title: text.about?.title ?? title ?? host,
      date: text.about?.date ?? date ?? null,
      content: text.content.slice(0, MAX_CONTENT),
      pages: text.pages.filter(({ offset }) => offset < MAX_CONTENT),
    }
  } catch (error) {
    if (!signal.aborted) countWebPage(failureOf(error))
    return null
  }
}

const failureOf = (error: unknown): PageFailure => (error instanceof PageError ? error.kind : 'unreadable')

/** Parsing in a worker thread cannot be stopped, so after an abort its result is dropped. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((done, fail) => {
    const onAbort = () => fail(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
