import { expect, test } from 'vitest'
import { auditApi } from '#contract/audit.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { plansApi } from '#contract/plans.ts'
import { auditLog } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const helper = await app.signIn('second@example.test')
await owner.call(authAdminApi.setRole, { body: { userId: helper.user.id, role: 'admin' } })
const second = helper
const body = { name: 'Мини', symbols: 1000, price: 990, currency: 'BYN' }
const planId = (await owner.call(plansApi.create, { body })).id
await second.call(plansApi.update, { params: { id: planId }, body: { price: 1290 } })
const annaId = (await app.signIn('anna@example.test')).user.id
await second.call(authAdminApi.removeUser, { body: { userId: annaId } })

const list = (query: Parameters<typeof owner.call<typeof auditApi.list>>[1]['query'] = {}) =>
  owner.call(auditApi.list, { query })
const actionsOf = async (query: Parameters<typeof list>[0]) => (await list(query)).items.map(({ action }) => action)

test('the log is paged, newest first, with a total', async () => {
  const actions = ['user.delete', 'plan.change', 'plan.create', 'user.role']
  expect(await actionsOf({})).toEqual(actions)
  expect(await actionsOf({ sort: 'at' })).toEqual(actions.toReversed())
  expect(await list({ size: 3, page: 2 })).toMatchObject({ total: 4, items: [{ action: 'user.role', id: 1 }] })
})

test('the log is filtered by actor, action, target and time', async () => {
  expect(await actionsOf({ actor: second.user.id })).toEqual(['user.delete', 'plan.change'])
  expect(await actionsOf({ kind: 'user' })).toEqual(['user.delete', 'user.role'])
  expect(await actionsOf({ action: 'plan.create' })).toEqual(['plan.create'])
  expect(await actionsOf({ target: planId })).toEqual(['plan.change', 'plan.create'])
  expect(await actionsOf({ query: 'SECOND@' })).toEqual(['user.delete', 'plan.change'])
  expect(await actionsOf({ query: '100%' })).toEqual([])
  expect(await actionsOf({ from: '2099-01-01' })).toEqual([])
  expect(await actionsOf({ to: '2020-01-01' })).toEqual([])
  expect(await actionsOf({ from: '2020-01-01', to: '2099-01-01' })).toHaveLength(4)
})

test('a row names its target, even when deleted, and the changes', async () => {
  const [removal, change] = (await list({})).items
  expect(removal).toMatchObject({ target: annaId, targetName: 'anna@example.test' })
  expect(change).toMatchObject({ targetName: 'Мини', before: { price: 990 }, after: { price: 1290 } })
  const { id = 0, requestId = null } = change ?? {}
  expect(await owner.call(auditApi.get, { params: { id: String(id) } })).toEqual(change)
  expect(requestId).toMatch(/^[\da-f-]{36}$/)
  for (const unknown of ['9999', 'x', '1e3']) {
    await expect(owner.call(auditApi.get, { params: { id: unknown } })).rejects.toMatchObject({ status: 404 })
  }
})

test('the filters offer the values of the log', async () => {
  expect(await owner.call(auditApi.choices, {})).toEqual({
    actors: [
      { id: owner.user.id, email: 'owner@example.test' },
      { id: second.user.id, email: 'second@example.test' },
    ],
    kinds: ['plan', 'user'],
    actions: ['plan.change', 'plan.create', 'user.delete', 'user.role'],
  })
})

test('the CSV has the same filter and readable labels', async () => {
  const answer = await owner.fetch(`${auditApi.csv.path}?kind=plan`)
  expect(answer.headers.get('content-type')).toContain('text/csv')
  const [head, ...rows] = (await answer.text()).trim().split('\r\n')
  expect(head).toMatch(/^Номер;Дата и время/)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('second@example.test;Тариф изменён;plan.change;Тариф;Мини')
})

test('the chain is verified on demand', async () => {
  const [last] = (await list({})).items
  expect(await owner.call(auditApi.verify, {})).toEqual({ count: 4, head: last?.hash, broken: null })
})

test('only administrators read the log, and reading leaves no row', async () => {
  const boris = await app.signIn()
  for (const path of ['/api/audit', '/api/audit/1', '/api/audit/verify', '/api/audit/choices', auditApi.csv.path]) {
    expect([path, (await boris.fetch(path)).status]).toEqual([path, 403])
    expect([path, (await app.visitor().fetch(path)).status]).toEqual([path, 401])
  }
  expect(await app.db.$count(auditLog)).toBe(4)
})

test('an unknown sort order is refused with the field', async () => {
  expect(await (await owner.fetch('/api/audit?sort=hash')).json()).toMatchObject({ status: 400, field: 'sort' })
})
