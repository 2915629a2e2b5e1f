import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render as renderElement } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { type DocumentVersion, PAGE_STATE_ELEMENT, type PageConfig, type PageState } from '#contract/page.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { ToasterGate } from '#web/app/toaster-gate.tsx'
import { loadPageState } from '#web/lib/page-state.ts'
import { aPage } from './samples.ts'

interface RenderOptions {
  path?: string
  /** The signed-in user; data in the browser is stored under this id. */
  userId?: string
  /** The kinds of documents that are published. */
  documents?: string[]
  /** Those that a new user has to agree to. */
  toAgree?: DocumentVersion[]
  /** Fields of the page configuration that differ from the sample. */
  config?: Partial<PageConfig>
  /** A client whose cache is filled before the first render. */
  client?: QueryClient
}

/** Draws a component as the product does: queries, addresses and notices around it, a signed-in user. */
export function render(element: ReactNode, options: RenderOptions = {}) {
  const { path = '/', userId = 'anna', documents = [], toAgree, config = {}, client = createQueryClient() } = options
  signIn(userId, { documents, ...(toAgree && { toAgree }) }, config)
  // Code that runs later than a render reads the path here.
  window.history.replaceState(null, '', path)
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  const around = (inner: ReactNode) => (
    <QueryClientProvider client={client}>
      <Router hook={hook} searchHook={searchHook}>
        {inner}
      </Router>
      <ToasterGate />
    </QueryClientProvider>
  )
  const drawn = renderElement(around(element))
  return {
    // Tests have no styles, so checking `pointer-events` would only take time.
    user: userEvent.setup({ pointerEventsCheck: 0 }),
    client,
    address: () => history.at(-1),
    rerender: (next: ReactNode) => drawn.rerender(around(next)),
    unmount: drawn.unmount,
  }
}

/** Writes the page state, which names the signed-in user, into its element as the server does. */
function signIn(userId: string, documents: Pick<PageState, 'documents' | 'toAgree'>, config: Partial<PageConfig>) {
  const page = aPage(userId)
  const element = document.getElementById(PAGE_STATE_ELEMENT) ?? document.createElement('script')
  element.id = PAGE_STATE_ELEMENT
  element.setAttribute('type', 'application/json')
  element.textContent = JSON.stringify({ ...page, config: { ...page.config, ...config }, ...documents })
  document.head.append(element)
  void loadPageState()
}

let lastUser = 0

/** Drafts outlive a test in the memory of the page, so each test that writes one uses another user. */
export function newUserId(): string {
  lastUser += 1
  return `user-${lastUser}`
}
