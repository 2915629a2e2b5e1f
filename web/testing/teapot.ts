import type { Endpoint } from '#contract/endpoint.ts'
import { type Message, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { exampleOf } from './example-of.ts'
import { aProfile } from './samples.ts'
import { nameOf, OWN_ID } from './whole-page.tsx'

/** Calls that fail without a word, and why. All others must say that they failed. */
export const quiet: Record<string, string> = {
  'GET /api/users/me': 'without the profile the page is the error page of S8.7',
  'GET /api/models/usual-costs': 'the price beside a button is left out',
  'GET /api/assistants/allowance': 'the line about free reading of files is left out',
  'GET /api/images/usage': 'the line about the room that is left is left out',
  'GET /api/prompts/categories': 'the choice of categories is left out',
  'GET /api/transactions/totals': 'the sums over the table are left out',
  'GET /api/audit/choices': 'the filters over the table stay empty',
  'GET /api/payment-events': 'the number on a tab is left out; the tab itself says the error',
  'GET /api/providers': 'the names of providers stay codes',
  'GET /api/plans': 'a filter by plan and an example of a price are left out; the lists of plans say the error',
  'GET /api/keys': 'a filter by key is left out; the screen of the keys says the error',
  'GET /api/threads': 'the panel is closed on a narrow page; the screen of the chats says the error',
  'GET /api/status/setup': 'the list of first steps is left out; «Состояние» says the error',
  'GET /api/disputes/waiting': 'the number in the menu is left out',
  'GET /api/auth/proof': 'the call that follows asks for the proof by itself',
  'GET /api/auth/get-session': 'only the mark of the own session is left out',
  'GET /api/page': 'asked in the background who is signed in; the next call says the error',
  'GET /api/threads/:id/message/:messageId/stream': 'reading goes on by itself (S10.700)',
  'GET /api/users/me/words-key': 'words are sealed at the next chance',
  'GET /api/builds/latest.json': 'a new version is announced at the next chance',
  'POST /api/prompts/:id/use': 'the use of a prompt is counted in the background',
  'POST /api/threads/:id/message/:messageId/stop': 'the button can be pressed again',
}

const me = aProfile({}, { id: OWN_ID, role: 'admin' })
const thread = exampleOf(threadsApi.get.returns) as { Messages: [Message] }
const [message] = thread.Messages
const answered = {
  ...thread,
  Messages: [
    { ...message, id: 'q1', role: 'user', status: 'complete', parentId: null },
    { ...message, id: 'a1', role: 'assistant', status: 'complete', parentId: 'q1' },
  ],
}

/** Answers that fit together better than examples of single calls. */
export function working(endpoint: Endpoint): unknown {
  if (endpoint === usersApi.me) return me
  return endpoint === threadsApi.get ? answered : undefined
}

/** Each failure has a number, so that it is recognized on the page. */
export function teapots() {
  const failed: { call: string; text: string }[] = []
  return {
    failed,
    answer(endpoint: Endpoint): Response {
      const text = `Чайник №${failed.length + 1}.`
      failed.push({ call: nameOf(endpoint), text: `418: ${text}` })
      return Response.json({ status: 418, code: 'teapot', message: text }, { status: 418 })
    },
  }
}

export const emptyAnswer = () => new Response('', { status: 502 })
export const EMPTY = '502: Unknown error'

export const shows = (text: string) => document.body.textContent?.includes(text) === true

/** A sentence that blames the connection. */
export const blame = () =>
  /[^.!?]*(проверьте связь|нет связи|интернет)[^.!?]*/i.exec(document.body.textContent ?? '')?.[0]
