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

describe.each(optional.map((feature) => [feature.name, feature] as const))('without %s', (_, feature) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ features: features.filter((each) => each !== feature), database: whole.database })
  })
  afterAll(() => app.close())

  test('its calls answer 404', async () => {
    const left = callsOf(app)
    const own = callsOf(whole).filter((call) => !left.includes(call))
    expect(own).not.toEqual([])
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
