import { beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { agree, publish } from '#server/features/legal/testing/publish.ts'
import { asksForConsent } from '#server/http/route.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'

/** Walks over the whole contract as a person who has not agreed to the seller's documents. */

const calls = Object.values(api).flatMap((section) => Object.values(section))
const label = ({ method, path }: Endpoint) => `${method} ${path}`
const named = (list: Endpoint[]) => list.map((call) => [label(call), call] as const)
const closed = calls.filter((call) => asksForConsent(call) && !call.path.startsWith('/api/auth/'))
const open = calls.filter((call) => call.who === 'user' && !closed.includes(call))

let anna: SignedIn
const app = await testApp()
const owner = await app.signIn('owner@example.test')
const boris = await app.signIn()

const address = ({ path }: Endpoint) =>
  fillPath(path, Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'no-such-id'])))
const init = ({ method, body }: Endpoint): RequestInit => ({
  method,
  ...(body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
})
async function codeOf(person: SignedIn, call: Endpoint): Promise<unknown> {
  const answer = await person.fetch(address(call), init(call))
  const body = await answer.json().catch(() => null)
  return (body as { code?: unknown } | null)?.code
}

test('no consent is requested before a document is published (S10.201)', async () => {
  await publish(owner, 'requisites', 'ООО «Ромашка»')
  await publish(owner, 'privacy', 'Политика')
  for (const call of closed) expect([label(call), await codeOf(boris, call)]).not.toContain('consent_required')
})

describe('a call that spends or stores is refused without consents', () => {
  beforeAll(async () => {
    await publish(owner, 'offer', 'Оферта')
    await publish(owner, 'personal-data', 'Согласие')
    anna = await app.signIn()
  })

  test.each(named(closed))('%s', async (_, call) => {
    expect(await codeOf(anna, call)).toBe('consent_required')
  })

  test('everything that costs symbols or money and keeps words is among them (S10.203)', () => {
    expect(closed.map(label)).toEqual(
      expect.arrayContaining([
        'POST /api/threads',
        'POST /api/threads/:id/message',
        'POST /api/threads/:id/message/:messageId/regenerate',
        'POST /api/threads/:id/message/:messageId/continue',
        'POST /api/openai/translate',
        'POST /api/images',
        'POST /api/transcriptions',
        'PUT /api/transcriptions/uploads/:id',
        'POST /api/transcriptions/:id/minutes/:kind',
        'POST /api/assistants',
        'POST /api/assistants/try',
        'POST /api/assistants/:id/files/:fileId/pay',
        'POST /api/files',
        'POST /api/prompts',
        'PATCH /api/profile/balance',
        'PATCH /api/users/:id',
        'POST /api/users/:id/apply-promocode',
        'POST /api/bepaid/consent',
        'GET /api/bepaid/get-subscription-url',
        'GET /api/bepaid/get-bundle-url',
        'POST /api/bepaid/plan-change',
      ]),
    )
  })
})

test('open calls that change something stop, leave, delete or complain (S10.203)', () => {
  const changing = open.filter(
    ({ method, effects, path }) => (method !== 'GET' || effects) && !path.startsWith('/api/auth/'),
  )
  expect(
    changing
      .filter(({ method }) => method !== 'DELETE')
      .map(label)
      .sort(),
  ).toEqual([
    'GET /api/orders',
    'GET /api/orders/:id',
    'GET /api/payments/method',
    'GET /api/users/:id/export',
    'PATCH /api/profile/daily-cap',
    'POST /api/bepaid/cancel-subscription',
    'POST /api/bepaid/remove-card',
    'POST /api/consents',
    'POST /api/consents/withdraw',
    'POST /api/images/delete',
    'POST /api/scans/:fileId/stop',
    'POST /api/threads/:id/message/:messageId/stop',
    'POST /api/transactions/:id/dispute',
    'POST /api/transcriptions/:id/minutes/:kind/stop',
    'POST /api/transcriptions/:id/stop',
  ])
})

test('reading, deleting and everything about signing in stay open without consents (S10.203)', async () => {
  const harmless = open.filter(({ path }) => !/sign-out|revoke|delete-user/.test(path))
  for (const call of harmless) expect([label(call), await codeOf(anna, call)]).not.toContain('consent_required')
})

test('with the consents every call is open again (S10.203)', async () => {
  await agree(anna)
  for (const call of closed) expect([label(call), await codeOf(anna, call)]).not.toContain('consent_required')
})
