import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint, JsonEndpoint } from '#contract/endpoint.ts'
import { PAGE_STATE_ELEMENT } from '#contract/page.ts'
import { type ScreenName, screens } from '#contract/screens.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { Router } from '#web/app/router.tsx'
import { ToasterGate } from '#web/app/toaster-gate.tsx'
import { loadPageState } from '#web/lib/page-state.ts'
import { AN_ID, exampleOf } from './example-of.ts'
import { FakeServer } from './fake-server.ts'
import { aPage } from './samples.ts'

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Literal paths first: an answer is looked for in this order. */
const endpoints = Object.values(api)
  .flatMap((group) => Object.values(group))
  .sort((a, b) => a.path.split(':').length - b.path.split(':').length)

/** What a call answers; undefined for an example of its answer. */
type Answers = (endpoint: Endpoint) => unknown

/** The whole page with every call of the contract behind it. */
export function openPage(screen: ScreenName, answers: Answers, query = '') {
  const called: string[] = []
  let pending = 0
  const server = new FakeServer()
  for (const endpoint of endpoints)
    server.on(endpoint as JsonEndpoint, async () => {
      pending += 1
      called.push(nameOf(endpoint))
      await Promise.resolve()
      pending -= 1
      const answer = answers(endpoint)
      if (answer !== undefined) return answer as Response
      return endpoint.returns ? exampleOf(endpoint.returns) : new Response('a')
    })
  vi.stubGlobal('WebSocket', SilentSocket)
  // jsdom has neither.
  Object.assign(document, { execCommand: () => true })
  Object.assign(HTMLMediaElement.prototype, {
    play: async () => undefined,
    pause: () => undefined,
    load: () => undefined,
  })
  const path = screens[screen].path.replaceAll(/:\w+|\*/g, AN_ID)
  const isSignedOut = screens[screen].feature === 'auth'
  writePageState(isSignedOut)
  const address = path + query
  history.replaceState(null, '', address)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Router />
      <ToasterGate />
    </QueryClientProvider>,
  )

  /** Waits until every file is loaded and every call answered. */
  async function settle() {
    for (let calm = 0, turn = 0; calm < 2 && turn < MOST_TURNS; turn += 1) {
      await act(async () => {
        await vi.dynamicImportSettled()
        await new Promise((resolve) => setTimeout(resolve, 0))
      })
      calm = pending === 0 ? calm + 1 : 0
    }
  }
  return { called, path, settle, close: cleanup }
}

/** Unlike the ids of answers: people do less with their own row. */
export const OWN_ID = 'anna'

/** Some calls are repeated by a timer for as long as the page is open. */
const MOST_TURNS = 30

class SilentSocket {
  readyState = 0
  send() {}
  close() {}
  addEventListener() {}
  removeEventListener() {}
}

function writePageState(isSignedOut: boolean) {
  const page = aPage(OWN_ID)
  const element = document.getElementById(PAGE_STATE_ELEMENT) ?? document.createElement('script')
  element.id = PAGE_STATE_ELEMENT
  element.setAttribute('type', 'application/json')
  const user = isSignedOut ? null : { ...page.user, role: 'admin' }
  element.textContent = JSON.stringify({ ...page, user, documents: [] })
  document.head.append(element)
  void loadPageState()
}
