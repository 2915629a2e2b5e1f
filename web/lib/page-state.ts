import { call } from '#contract/call.ts'
import {
  type DocumentVersion,
  type FirstData,
  PAGE_STATE_ELEMENT,
  type PageConfig,
  type PageState,
  pageApi,
  type SessionUser,
  type WrittenState,
} from '#contract/page.ts'
import type { ThreadWithMessages } from '#contract/threads.ts'
import { hasFields, readJson } from './stored.ts'

let state: WrittenState | null = null
/** When the server answered with the page, by the clock of this browser. */
let answeredAt = 0
let hasFirstData = false
let mark: string | null = null

/** Reads the state embedded in the page; the Vite dev server embeds none, so it is requested there. */
export async function loadPageState(): Promise<void> {
  state = readPageState(document.getElementById(PAGE_STATE_ELEMENT)?.textContent) ?? (await call(pageApi.state, {}))
  answeredAt = readAnsweredAt()
  hasFirstData = state.first !== undefined
  mark = state.mark ?? null
}

/** Not checked by the contract: our own server wrote it together with the page, and the first screen waits for it. */
export function readPageState(text: string | null | undefined): WrittenState | null {
  const written = readJson(text ?? null)
  return hasFields<WrittenState>(written, { config: 'object' }) ? written : null
}

/** For the shells, which are drawn by the build. */
export function setPageState(given: WrittenState): void {
  state = given
}

/** Whether the browser had stored this page, because the server could not be reached. */
export const isOfflinePage = () => loaded().offline === true

/** Sets the user in a page that was opened offline, which comes without one. */
export function setPageUser(user: SessionUser | null): void {
  state = { ...loaded(), user }
}

function readAnsweredAt(): number {
  const [visit] = globalThis.PerformanceNavigationTiming ? performance.getEntriesByType('navigation') : []
  return visit && 'responseStart' in visit
    ? Math.round(performance.timeOrigin + Number(visit.responseStart))
    : Date.now()
}

/** The data of the first screen that came with the page. Given once: it ages, and may be large. */
export function takeFirstData(): { data: FirstData; at: number } | null {
  const { first, ...rest } = loaded()
  state = rest
  return first ? { data: first, at: answeredAt } : null
}

/** The chat that came with the page, until its data is taken. */
export const firstThread = (): ThreadWithMessages | undefined => loaded().first?.thread?.items

export const cameWithPage = (updatedAt: number) => updatedAt === answeredAt

const PAGE_OLD_MS = 3000
const READ_AGAIN_MS = 2000

/**
 * Changes between the rendering of the page and the opening of the socket are missed, also those by the last requests
 * of the page before. So the server is asked for changes since `mark`: at once when the page is old, otherwise after a
 * pause, when it has settled. Null when no data came with the page.
 */
export function firstCatchUp(): { after: number; mark: string | null } | null {
  if (!hasFirstData) return null
  return { after: Date.now() - answeredAt > PAGE_OLD_MS ? 0 : READ_AGAIN_MS, mark }
}

function loaded(): WrittenState {
  if (!state) throw new Error('Состояние страницы ещё не загружено')
  return state
}

export function pageConfig(): PageConfig {
  return loaded().config
}

/** The welcome data, which the page of a signed-in user lacks: it is requested after signing out. */
export async function readWelcome(): Promise<PageState['welcome']> {
  const { welcome, documents, toAgree } = await call(pageApi.state, {})
  state = { ...loaded(), welcome, documents, toAgree }
  return welcome ?? null
}

export const pageWelcome = () => loaded().welcome ?? null

/** The documents that the seller has published, when the page was opened. */
export const isDocumentPublished = (kind: string) => loaded().documents?.includes(kind) === true

/** The documents that a new user has to agree to, on a page without a session. */
export const documentsToAgree = (): DocumentVersion[] => loaded().toAgree ?? []

/** The user when the page was opened; later changes are in the session query. */
export function pageUser(): SessionUser | null {
  return loaded().user
}
