import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render as renderElement } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { PAGE_STATE_ELEMENT, type PageConfig } from '#contract/page.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { ToasterGate } from '#web/app/toaster-gate.tsx'
import { loadPageState } from '#web/lib/page-state.ts'
import { aPage } from './samples.ts'

interface RenderOptions {
  /** The address to begin at. */
  path?: string
  /** Who is signed in: what the browser keeps for a user is kept under this id. */
  userId?: string
  /** What the seller has published. */
  documents?: string[]
  /** What the server says of itself, where it differs from the sample. */
  config?: Partial<PageConfig>
  /** To be filled before anything is drawn. */
  client?: QueryClient
}

/** Draws a component as the product does: queries, addresses and notices around it, a signed-in user. */
export function render(element: ReactNode, options: RenderOptions = {}) {
  const { path = '/', userId = 'anna', documents = [], config = {}, client = createQueryClient() } = options
  signIn(userId, documents, config)
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
    // Nothing has a style here, so there is nothing to learn from asking what a pointer may touch.
    user: userEvent.setup({ pointerEventsCheck: 0 }),
    client,
    /** Where the page is now. */
    address: () => history.at(-1),
    rerender: (next: ReactNode) => drawn.rerender(around(next)),
    unmount: drawn.unmount,
  }
}

/** The page says who is signed in by an element of its own, as the server writes it. */
function signIn(userId: string, documents: string[], config: Partial<PageConfig>) {
  const page = aPage(userId)
  const element = document.getElementById(PAGE_STATE_ELEMENT) ?? document.createElement('script')
  element.id = PAGE_STATE_ELEMENT
  element.setAttribute('type', 'application/json')
  element.textContent = JSON.stringify({ ...page, config: { ...page.config, ...config }, documents })
  document.head.append(element)
  void loadPageState()
}

let lastUser = 0

/** Drafts outlive a test in the memory of the page, so each test that writes one uses another user. */
export function newUserId(): string {
  lastUser += 1
  return `user-${lastUser}`
}
