import { asc, gt } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { actionLabel, auditKinds } from '#contract/audit-labels.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import type { Args, Endpoint } from '#contract/endpoint.ts'
import { plansApi } from '#contract/plans.ts'
import { auditLog } from '#server/db/schema.ts'
import { startPaidApp } from '../payments/testing/paid-app.ts'
import { verifyChain } from './audit.ts'
import { type Example, examples, exceptions, sharedExamples } from './testing/admin-actions.ts'

const app = await startPaidApp()

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const adminWrites = Object.values(api)
  .flatMap((section) => Object.values(section))
  .filter(({ who, method }) => who === 'admin' && method !== 'GET')

async function rowsAfter(action: () => Promise<unknown>) {
  const last = await app.db.$count(auditLog)
  await action()
  return app.db.select().from(auditLog).where(gt(auditLog.id, last)).orderBy(asc(auditLog.id))
}

test('every admin call that writes has an example or a listed exception', () => {
  const known = new Set([...examples.map(({ endpoint }) => nameOf(endpoint)), ...Object.keys(exceptions)])
  expect(adminWrites.map(nameOf).filter((name) => !known.has(name))).toEqual([])
  expect([...known].filter((name) => !adminWrites.some((call) => nameOf(call) === name))).toEqual([])
})

test.each([...examples, ...sharedExamples].map((one): [string, Example] => [nameOf(one.endpoint), one]))(
  '%s leaves its row',
  async (_, { endpoint, actions, args }) => {
    const ready = (await args(app)) as Args<Endpoint> & { body?: unknown }
    const rows = await rowsAfter(() =>
      endpoint.answers === 'file' ? app.owner.post(endpoint.path, ready.body) : app.owner.call(endpoint, ready),
    )
    expect(rows.map(({ action }) => action)).toEqual(actions)
    for (const row of rows) {
      expect(row).toMatchObject({ actorId: app.owner.user.id, actorEmail: 'owner@example.test', ip: '127.0.0.1' })
      expect(actionLabel(row.action), `${row.action} has no words`).not.toBe(row.action)
      expect(auditKinds).toHaveProperty(row.kind)
      expect(JSON.stringify(row)).not.toMatch(/long password|CODE-/)
    }
  },
)

test('impersonation is recorded at start and end, with the admin as actor', async () => {
  const anna = await app.signIn()
  const admin = await app.signIn('owner@example.test')
  const rows = await rowsAfter(async () => {
    await admin.call(authAdminApi.impersonateUser, { body: { userId: anna.user.id } })
    await admin.call(authAdminApi.stopImpersonating, {})
  })
  const by = { actorId: admin.user.id, actorEmail: 'owner@example.test', target: anna.user.id }
  expect(rows).toMatchObject([
    { action: 'user.impersonate', ...by },
    { action: 'user.impersonate_stop', ...by },
  ])
})

test('a refused action leaves no row', async () => {
  const rows = await rowsAfter(async () => {
    const missing = { params: { id: 'none' }, body: { price: 5 } }
    await expect(app.owner.call(plansApi.update, missing)).rejects.toMatchObject({ status: 404 })
    const self = { body: { userId: app.owner.user.id } }
    await expect(app.owner.call(authAdminApi.banUser, self)).rejects.toMatchObject({ status: 400 })
  })
  expect(rows).toEqual([])
})

test('a ban is recorded with changed fields, a removal with the user', async () => {
  const anna = await app.signIn()
  const { id: userId, email } = anna.user
  const [ban, removal] = await rowsAfter(async () => {
    await app.owner.call(authAdminApi.banUser, { body: { userId, banReason: 'Спам' } })
    await app.owner.call(authAdminApi.removeUser, { body: { userId } })
  })
  expect(ban?.after).toMatchObject({ banned: true, banReason: 'Спам' })
  expect(ban?.after).not.toHaveProperty('email')
  expect(removal).toMatchObject({ before: { email }, after: null })
})

test('after all these actions the chain is intact', async () => {
  const { broken, count } = await verifyChain(app.db)
  expect(broken).toBeNull()
  expect(count).toBeGreaterThan(examples.length)
})
