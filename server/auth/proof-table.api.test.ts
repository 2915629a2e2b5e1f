import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { testApp } from '#server/testing/app.ts'
import { BASE_PATH } from './compat/responses.ts'
import { knownCall, needNoProof, sectionsWithoutWaysIn } from './proof-table.ts'

const app = await testApp()

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path.slice(BASE_PATH.length)}`
const sections = Object.entries(api)
const calls = Object.values(api).flatMap((section) => Object.values(section))
const ofLibrary = calls.filter(({ path }) => path.startsWith(`${BASE_PATH}/`))
const asking = ofLibrary.filter(({ proof }) => proof !== undefined).map(nameOf)
const listed = Object.values(needNoProof).flat()

/** The calls that the library has mounted, with those that it disables. */
const mounted = Object.values(
  app.auth.api as Record<string, { path?: string; options?: { method?: string | string[] } }>,
)
  .filter(({ path }) => path !== undefined)
  .flatMap(({ path, options }) => [options?.method ?? []].flat().map((method) => `${method} ${path}`))

/** Mounted by the library and used by no one. */
const unreachable = ['POST /get-session', 'POST /verify-password', 'POST /update-session', 'GET /account-info']

test('every call of the contract needs a proof or is listed (S10.581)', () => {
  const undecided = ofLibrary.filter(({ proof }) => proof === undefined).map(nameOf)
  expect(undecided.filter((name) => !listed.includes(name))).toEqual([])
  expect(asking.filter((name) => listed.includes(name))).toEqual([])
  const rest = sections.filter(([, section]) => !Object.values(section).every((call) => ofLibrary.includes(call)))
  expect(rest.map(([title]) => title).filter((title) => !sectionsWithoutWaysIn.includes(title))).toEqual([])
})

test('every call of the library is in the contract, listed or unreachable (S10.581)', async () => {
  expect(mounted.length).toBeGreaterThan(60)
  const decided = [...asking, ...listed, ...unreachable]
  expect(mounted.filter((name) => !decided.includes(name))).toEqual([])
  const visitor = await app.signIn()
  for (const name of unreachable) {
    const [method = '', path = ''] = name.split(' ')
    expect([name, (await visitor.fetch(BASE_PATH + path, { method })).status]).toEqual([name, 404])
  }
})

test('the table names no call that does not exist', () => {
  const names = ofLibrary.map(nameOf)
  const unknown = listed.filter((name) => !mounted.includes(name) && !names.includes(name) && !name.endsWith('/open'))
  expect(unknown).toEqual([])
  expect(sectionsWithoutWaysIn.filter((title) => !(title in api))).toEqual([])
})

test('every sign-in method is among the calls that ask (S10.581)', () => {
  expect(asking).toEqual(
    expect.arrayContaining([
      ...['POST /create-password', 'POST /change-password', 'POST /change-email', 'POST /delete-user'],
      ...['POST /two-factor/enable', 'POST /two-factor/disable', 'POST /two-factor/generate-backup-codes'],
      ...['GET /passkey/generate-register-options', 'POST /passkey/verify-registration'],
      ...['POST /passkey/delete-passkey', 'POST /passkey/update-passkey'],
      ...['POST /link-social', 'POST /unlink-account'],
      ...['GET /list-sessions', 'POST /revoke-session', 'POST /revoke-sessions', 'POST /revoke-other-sessions'],
    ]),
  )
})

test('another spelling of an address is not a call', () => {
  for (const path of ['//change-email', '/change-email//x', '/Change-Email', '/change%2Demail', '/./change-email'])
    expect([path, knownCall('POST', BASE_PATH + path)]).toEqual([path, null])
  expect(knownCall('POST', `${BASE_PATH}/change-email/`)?.call?.proof).toBe('fresh')
  expect(knownCall('HEAD', `${BASE_PATH}/list-sessions`)?.call?.proof).toBe('fresh')
})
