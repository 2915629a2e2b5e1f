import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programApi } from '#contract/api.ts'
import { jobsOf, sweepsOf } from '#server/background.ts'
import { startTestApp, type TestApp, testApp } from '#server/testing/app.ts'
import { calls, createWalker, expectMounted, label, noAddress, send } from '#server/testing/contract-walk.ts'
import { features } from './index.ts'

const whole = await testApp()

const ofPrograms = Object.values(programApi).flatMap((section) => Object.values(section))

/** The calls that are mounted; the sign-in library mounts its own under one address. */
function callsOf({ app }: TestApp) {
  const mounted = new Set(app.routes.map(label))
  return [...calls, ...ofPrograms].filter((call) => call.path.startsWith('/api/auth/') || mounted.has(label(call)))
}

const optional = features.filter(({ isOptional }) => isOptional)

/**
 * Three of seven apps lack each feature, and no two features lack in the same three: of any two features there is an
 * app with the one and without the other. An app without each feature alone would take three times as long.
 */
const APPS = 7
const threes = Array.from({ length: 2 ** APPS }, (_, bits) =>
  Array.from({ length: APPS }, (_, app) => app).filter((app) => bits & (2 ** app)),
).filter(({ length }) => length === 3)
const lackingIn = new Map(optional.map((feature, i) => [feature, threes[i] ?? []]))
const apps = Array.from({ length: APPS }, (_, i) => optional.filter((feature) => lackingIn.get(feature)?.includes(i)))

test('two optional features never lack in the same apps', () => {
  expect(new Set([...lackingIn.values()].map(String)).size).toBe(optional.length)
  for (const lacking of lackingIn.values()) expect(lacking).toHaveLength(3)
})

const namesOf = (lacking: typeof optional) => lacking.map(({ name }) => name).join(', ')

describe.each(apps.map((lacking) => [namesOf(lacking), lacking] as const))('without %s', (_, lacking) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ features: features.filter((each) => !lacking.includes(each)), database: whole.database })
  })
  afterAll(() => app.close())

  test('the calls of what lacks answer 404', async () => {
    const left = callsOf(app)
    const own = callsOf(whole).filter((call) => !left.includes(call))
    expect(own.length).toBeGreaterThanOrEqual(lacking.length)
    const user = await app.signIn()
    for (const call of own) {
      const response = await send(user, call)
      expect([label(call), response.status, await response.json()]).toEqual([label(call), 404, noAddress])
    }
  })

  test('every other call passes the walk over the contract', async () => {
    const walk = createWalker(app)
    // A user is refused before the code of a call for admins runs; server/contract.api.test.ts proves that.
    for (const call of callsOf(app)) if (call.who !== 'admin') await expectMounted(await walk(call))
  })

  test('jobs, sweeps and recovery run', async () => {
    const { database, features: left } = app
    const { signal } = new AbortController()
    for (const job of jobsOf(left)) await job.run()
    for (const sweep of sweepsOf({ ...left, database, mail: async () => {} })) await sweep.run(signal)
    const kinds = left.opened.flatMap(({ recover }) => recover ?? [])
    for (const { recover } of kinds) await recover()
    expect(kinds.map(({ kind }) => kind)).toEqual(['answer', 'image', 'hold'])
  })
})
