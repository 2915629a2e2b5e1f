import { call } from '#contract/call.ts'
import { PAGE_STATE_ELEMENT, type PageConfig, type PageState, pageApi, type SessionUser } from '#contract/page.ts'
import { fits, readJson } from './stored.ts'

let state: PageState | null = null

/** Reads the state embedded in the page; the Vite dev server embeds none, so it is requested there. */
export async function loadPageState(): Promise<void> {
  state = readPageState(document.getElementById(PAGE_STATE_ELEMENT)?.textContent) ?? (await call(pageApi.state, {}))
}

export function readPageState(text: string | null | undefined): PageState | null {
  const written = readJson(text ?? null)
  return fits<PageState>(written, { config: 'object' }) ? written : null
}

function loaded(): PageState {
  if (!state) throw new Error('Состояние страницы ещё не загружено')
  return state
}

export function pageConfig(): PageConfig {
  return loaded().config
}

/** What the product is and costs. The page of a signed-in user has none, so that it is read after signing out. */
export async function readWelcome(): Promise<PageState['welcome']> {
  const { welcome } = await call(pageApi.state, {})
  state = { ...loaded(), welcome }
  return welcome ?? null
}

export const pageWelcome = () => loaded().welcome ?? null

/** The documents that the seller has published, when the page was opened. */
export const isPublished = (kind: string) => loaded().documents?.includes(kind) === true

/** The user when the page was opened; later changes are in the session query. */
export function pageUser(): SessionUser | null {
  return loaded().user
}
