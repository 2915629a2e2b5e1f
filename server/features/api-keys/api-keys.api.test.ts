import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type ApiKeyDraft, apiKeysAdminApi, apiKeysApi } from '#contract/api-keys.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import { forgetFormerOwner } from '#server/auth/devices.ts'
import { apiKeys, auditLog, ledger, models, sessions, switchedOff, users } from '#server/db/schema.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, TEST_SECRET, testApp } from '#server/testing/app.ts'
import { balanceOf, extend, hold, settle } from '../billing/ledger.ts'
import { startMeter } from '../billing/meter.ts'
import { findKey, workingKeys } from './find-key.ts'
import { apiKeySecret } from './secret.ts'

const MOST = 4
const limits = readLimits(`api-keys=${MOST}`).settings
const app = await testApp({ startSymbols: 100_000, settings: { limits } })
const { db } = app
const owner = await app.signIn('owner@example.test')
await db
  .insert(models)
  .values({ id: 'm-1', name: 'Модель', description: '', provider: 'demo', providerModel: 'demo', position: 900 })
  .onConflictDoNothing()

const deps = { db, keySecret: apiKeySecret(TEST_SECRET) }
const find = (secret: string, ip = '203.0.113.7') => findKey(deps, `Bearer ${secret}`, ip)
const make = (who: SignedIn, draft: Partial<ApiKeyDraft> = {}) =>
  who.call(apiKeysApi.create, { body: { name: 'n8n', ...draft } })
const end = (who: SignedIn, id: string) => who.call(apiKeysApi.end, { params: { id } })
const change = (who: SignedIn, id: string, body: object) => who.call(apiKeysApi.update, { params: { id }, body })
const holdFor = (userId: string, apiKeyId: string, symbols: number, now?: Date) => {
  const key = newId()
  return hold(db, { key, userId, kind: 'answer', symbols, apiKeyId }, now).then((outcome) => ({ key, outcome }))
}

test('a person ends all own keys at once, nobody else’s (S10.1234)', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  const [first, second, other] = [await make(anna), await make(anna), await make(boris)]
  await end(anna, first.key.id)
  expect(await anna.call(apiKeysApi.endAll, {})).toEqual({ ended: 1 })
  await expect(find(second.secret)).rejects.toThrow(/отключён/)
  expect((await find(other.secret)).key.userId).toBe(boris.user.id)
  expect((await app.visitor().fetch('/api/keys', { method: 'DELETE' })).status).toBe(401)
})

test('a key is shown once, stored as an HMAC and works (S10.985)', async () => {
  const anna = await app.signIn()
  const { key, secret } = await make(anna, { models: ['m-1'], capDay: 500, maskPersonal: true })
  expect(secret).toMatch(/^sym-[0-9A-Za-z]{43}$/)
  expect(key).toMatchObject({ prefix: secret.slice(0, 8), lastFour: secret.slice(-4), lastUsedAt: null })
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
  expect(JSON.stringify(row)).not.toContain(secret.slice(8, -4))
  const { keys, baseUrl, isOn, most } = await anna.call(apiKeysApi.list, {})
  expect({ baseUrl, isOn, most }).toEqual({ baseUrl: 'http://localhost:3000/v1', isOn: true, most: MOST })
  expect(keys).toEqual([key])
  expect(JSON.stringify(keys)).not.toContain(row?.hash)
  expect(await find(secret)).toEqual({
    lacksConsent: false,
    key: {
      ...{ id: key.id, userId: anna.user.id, name: 'n8n', models: ['m-1'] },
      ...{ maskPersonal: true, capDay: 500, capMonth: null },
    },
  })
  await app.sendEmails()
  const email = app.outbox.findLast(({ to }) => to === anna.user.email)
  expect(email?.subject).toContain('Новый ключ API')
  expect(email?.text).toContain(key.lastFour)
  expect(email?.text).not.toContain(secret)
})

test('wrong, ended and expired keys are refused the same way (S10.986)', async () => {
  const anna = await app.signIn()
  const { key, secret } = await make(anna)
  const wrong = [undefined, '', secret, `Basic ${secret}`, `Bearer ${secret}x`, `Bearer sym-${'a'.repeat(43)}`]
  for (const header of wrong)
    await expect(findKey(deps, header, '::1')).rejects.toMatchObject({ status: 401, refusal: 'invalid_api_key' })
  await change(anna, key.id, { expiresAt: new Date(Date.now() + 60_000).toISOString() })
  expect((await find(secret)).key.id).toBe(key.id)
  await db.update(apiKeys).set({ expiresAt: new Date() }).where(eq(apiKeys.id, key.id))
  await expect(find(secret)).rejects.toMatchObject({ refusal: 'invalid_api_key', message: /Срок/ })
  const past = change(anna, key.id, { expiresAt: '2020-01-01T00:00:00.000Z' })
  await expect(past).rejects.toMatchObject({ status: 400, field: 'expiresAt' })
  await change(anna, key.id, { expiresAt: null })
  expect((await end(anna, key.id)).endedAt).not.toBeNull()
  await expect(find(secret)).rejects.toMatchObject({ refusal: 'invalid_api_key', message: /отключён/ })
  await expect(change(anna, key.id, { name: 'снова' })).rejects.toMatchObject({ status: 404 })
})

test('a banned person’s key does not work (S10.986)', async () => {
  const anna = await app.signIn()
  const { secret } = await make(anna)
  await db.update(users).set({ banned: true }).where(eq(users.id, anna.user.id))
  await expect(find(secret)).rejects.toMatchObject({ refusal: 'invalid_api_key' })
  // The ban ended after the server had first asked.
  const banExpires = new Date(Date.now() - 1)
  await db.update(users).set({ banExpires }).where(eq(users.id, anna.user.id))
  expect(await find(secret)).toBeDefined()
})

test('a key works only from its addresses and networks (S10.987)', async () => {
  const anna = await app.signIn()
  const { secret } = await make(anna, { addresses: ['203.0.113.0/24', '198.51.100.9', '2001:db8::/32'] })
  for (const ip of ['203.0.113.200', '198.51.100.9', '2001:db8:5::1']) expect(await find(secret, ip)).toBeDefined()
  for (const ip of ['203.0.114.1', '198.51.100.8', '2001:db9::1', '::1'])
    await expect(find(secret, ip)).rejects.toMatchObject({ status: 403, refusal: 'ip_not_authorized' })
  for (const address of ['203.0.113.0/33', 'example.com', '1.2.3', '2001:db8::/129'])
    await expect(make(anna, { addresses: [address] })).rejects.toMatchObject({ status: 400 })
})

test('the last use is written at most once a minute (S10.988)', async () => {
  const anna = await app.signIn()
  const { key, secret } = await make(anna)
  const seen = async () => (await anna.call(apiKeysApi.list, {})).keys[0]
  await find(secret, '203.0.113.1')
  const first = await seen()
  expect(first).toMatchObject({ lastUsedFrom: '203.0.113.1' })
  await find(secret, '203.0.113.2')
  expect(await seen()).toEqual(first)
  const old = new Date(Date.now() - 61_000)
  await db.update(apiKeys).set({ lastUsedAt: old }).where(eq(apiKeys.id, key.id))
  await find(secret, '203.0.113.3')
  expect(await seen()).toMatchObject({ lastUsedFrom: '203.0.113.3' })
})

test('making and changing a key asks for fresh proof (S10.989)', async () => {
  const anna = await app.signIn()
  const { key } = await make(anna)
  await db.update(sessions).set({ createdAt: sql`now() - interval '1 day'` }).where(eq(sessions.userId, anna.user.id))
  await expect(make(anna)).rejects.toMatchObject({ code: 'proof_required' })
  await expect(change(anna, key.id, { capDay: null })).rejects.toMatchObject({ code: 'proof_required' })
  expect((await end(anna, key.id)).endedAt).not.toBeNull()
})

test('another person and a visitor reach no key (S10.989)', async () => {
  const anna = await app.signIn()
  const boris = await app.signIn()
  const { key } = await make(anna)
  await expect(change(boris, key.id, { name: 'моё' })).rejects.toMatchObject({ status: 404 })
  await expect(end(boris, key.id)).rejects.toMatchObject({ status: 404 })
  expect((await boris.call(apiKeysApi.list, {})).keys).toEqual([])
  for (const path of ['/api/keys', '/api/keys/spending']) expect((await app.visitor().fetch(path)).status).toBe(401)
  expect((await app.visitor().fetch(`/api/keys/${key.id}`, { method: 'DELETE' })).status).toBe(401)
  expect((await app.visitor().post('/api/keys', { name: 'x' })).status).toBe(401)
})

test('a person has at most as many keys as the limit says (S10.990)', async () => {
  const anna = await app.signIn()
  const tries = await Promise.allSettled(Array.from({ length: MOST + 3 }, () => make(anna)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST)
  const [first] = (await anna.call(apiKeysApi.list, {})).keys
  await end(anna, first?.id ?? '')
  await make(anna)
  await expect(make(anna)).rejects.toMatchObject({ status: 409 })
  await expect(make(anna, { models: ['no-such-model'] })).rejects.toMatchObject({ status: 409 })
})

test('an unknown model is refused (S10.985)', async () => {
  const anna = await app.signIn()
  await expect(make(anna, { models: ['no-such-model'] })).rejects.toMatchObject({ status: 400, field: 'models' })
})

test('holds and charges of a key never pass its caps (S10.991)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna, { capDay: 1000, capMonth: 1500 })).key
  const userId = anna.user.id
  const tries = await Promise.all(Array.from({ length: 6 }, () => holdFor(userId, id, 300)))
  const held = tries.filter(({ outcome }) => outcome === 'held')
  expect(held).toHaveLength(3)
  expect(tries.filter(({ outcome }) => outcome === 'key_day')).toHaveLength(3)
  expect(await extend(db, held[0]?.key ?? '', 401)).toBe('key_day')
  expect(await extend(db, held[0]?.key ?? '', 400)).toBe('held')
  for (const [i, { key }] of held.entries()) await settle(db, key, i === 0 ? 400 : 100, { modelId: 'm-1' })
  expect((await anna.call(apiKeysApi.list, {})).keys[0]).toMatchObject({ spentToday: 600, spentMonth: 600 })
  expect((await holdFor(userId, id, 401)).outcome).toBe('key_day')
  const entries = await db.select().from(ledger).where(eq(ledger.apiKeyId, id))
  expect(entries.map(({ symbols }) => symbols).toSorted((a, b) => a - b)).toEqual([-400, -100, -100])
  expect((await balanceOf(db, userId)).held).toBe(0)
})

test('the caps begin anew with a day and a month (S10.991)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna, { capDay: 1000, capMonth: 1500 })).key
  const spendOn = async (day: string, symbols: number) => {
    const now = new Date(`${day}T12:00:00Z`)
    const { key, outcome } = await holdFor(anna.user.id, id, symbols, now)
    if (outcome === 'held') await settle(db, key, symbols, {}, now)
    return outcome
  }
  expect(await spendOn('2026-10-30', 1000)).toBe('held')
  expect(await spendOn('2026-10-30', 1)).toBe('key_day')
  expect(await spendOn('2026-10-31', 501)).toBe('key_month')
  expect(await spendOn('2026-10-31', 500)).toBe('held')
  expect(await spendOn('2026-11-01', 1000)).toBe('held')
  expect((await db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0]).toMatchObject({
    ...{ spentDay: '2026-11-01', spentToday: 1000, spentMonth: 1000 },
  })
})

test('a meter stops at the cap of its key (S10.991)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna, { capDay: 300 })).key
  const params = {
    ...({ userId: anna.user.id, kind: 'answer', input: 100, rates: { inputRate: 1, outputRate: 1 } } as const),
    ...{ details: {}, instance: app.instance.id, apiKeyId: id },
  }
  const meter = await startMeter(db, { ...params, key: newId() })
  expect(await meter.payFor('x'.repeat(1000))).toHaveLength(200)
  expect(await meter.settle()).toMatchObject({ charged: 300 })
  await expect(startMeter(db, { ...params, key: newId() })).rejects.toMatchObject({
    ...{ status: 402, message: /дневной предел этого ключа/ },
  })
})

test('an ended key stops the growth of what it holds (S10.992)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna)).key
  const { key } = await holdFor(anna.user.id, id, 100)
  await end(anna, id)
  expect(await extend(db, key, 200)).toBe('key_off')
  expect((await holdFor(anna.user.id, id, 1)).outcome).toBe('key_off')
  expect(await settle(db, key, 80, {})).toBe('done')
})

test('a ban and the switch stop the growth of what keys hold (S10.1014)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna)).key
  const { key } = await holdFor(anna.user.id, id, 100)
  const ofAnna = eq(users.id, anna.user.id)
  const set = (change: Partial<typeof users.$inferInsert>) => db.update(users).set(change).where(ofAnna)
  await set({ banned: true, banExpires: new Date(Date.now() + 60_000) })
  expect(await extend(db, key, 200)).toBe('key_off')
  expect((await holdFor(anna.user.id, id, 1)).outcome).toBe('key_off')
  expect(await workingKeys(db, [id])).toEqual(new Set())
  await set({ banned: true, banExpires: new Date(Date.now() - 60_000) })
  expect(await extend(db, key, 200)).toBe('held')
  await db.insert(switchedOff).values({ part: 'api-keys' })
  expect(await extend(db, key, 300)).toBe('key_off')
  await db.delete(switchedOff)
  expect(await workingKeys(db, [id, 'none'])).toEqual(new Set([id]))
  await set({ banned: false, banExpires: null })
  expect(await settle(db, key, 200, {})).toBe('done')
})

test('spending by day and key counts only one’s own (S10.993)', async () => {
  const anna = await app.signIn()
  const ids = [(await make(anna)).key.id, (await make(anna)).key.id]
  for (const [i, id] of [0, 0, 1].map((which) => ids[which] ?? '').entries()) {
    const { key } = await holdFor(anna.user.id, id, 100)
    await settle(db, key, 10 * (i + 1), {})
  }
  const spent = await anna.call(apiKeysApi.spending, {})
  expect(new Map(spent.map(({ keyId, symbols }) => [keyId, symbols]))).toEqual(
    new Map([
      [ids[0], 30],
      [ids[1], 30],
    ]),
  )
  expect(await (await app.signIn()).call(apiKeysApi.spending, {})).toEqual([])
})

test('the owner switches keys off for all, at once (S10.994)', async () => {
  const anna = await app.signIn()
  const { secret } = await make(anna)
  const setAccess = (isOn: boolean) => owner.call(apiKeysAdminApi.setAccess, { body: { isOn } })
  expect(await setAccess(false)).toEqual({ isOn: false })
  await expect(find(secret)).rejects.toMatchObject({ status: 403, refusal: 'api_keys_off' })
  await expect(make(anna)).rejects.toMatchObject({ status: 403 })
  expect((await anna.call(apiKeysApi.list, {})).isOn).toBe(false)
  await setAccess(false)
  await setAccess(true)
  expect(await owner.call(apiKeysAdminApi.access, {})).toEqual({ isOn: true })
  expect((await find(secret)).key.name).toBe('n8n')
  const actions = await db.select({ action: auditLog.action }).from(auditLog).where(eq(auditLog.kind, 'keys'))
  expect(actions.map(({ action }) => action)).toEqual(['keys.off', 'keys.on'])
})

test('an administrator ends a person’s key; the log has no name (S10.994, S10.1450)', async () => {
  const anna = await app.signIn()
  const { key, secret } = await make(anna)
  const params = { id: anna.user.id, keyId: key.id }
  expect(await owner.call(apiKeysAdminApi.ofUser, { params: { id: anna.user.id } })).toEqual([key])
  expect(await owner.call(apiKeysAdminApi.end, { params })).toMatchObject({ endedByAdmin: true })
  await expect(find(secret)).rejects.toMatchObject({ refusal: 'invalid_api_key' })
  const [entry] = await db.select().from(auditLog).where(eq(auditLog.action, 'user.end_key'))
  expect(entry).toMatchObject({ target: anna.user.id, note: `${key.prefix}…${key.lastFour}` })
  for (const { method, path } of [
    { method: 'GET', path: '/api/keys/access' },
    { method: 'GET', path: `/api/users/${anna.user.id}/keys` },
    { method: 'DELETE', path: `/api/users/${anna.user.id}/keys/${key.id}` },
  ]) {
    expect((await anna.fetch(path, { method })).status).toBe(403)
    expect((await app.visitor().fetch(path, { method })).status).toBe(401)
  }
})

test('keys are exported without secrets and deleted with the account (S10.995)', async () => {
  const anna = await app.signIn()
  const { key } = await make(anna)
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, key.id))
  const text = await (await anna.fetch(`/api/users/${anna.user.id}/export`)).text()
  expect(JSON.parse(text)).toMatchObject({ apiKeys: [{ id: key.id, name: 'n8n', lastFour: key.lastFour }] })
  expect(text).not.toContain(row?.hash)
  await db.delete(users).where(eq(users.id, anna.user.id))
  expect(await db.$count(apiKeys, eq(apiKeys.id, key.id))).toBe(0)
})

test('operations are filtered by key, for the admin too (S10.993, S10.983)', async () => {
  const anna = await app.signIn()
  const { id } = (await make(anna)).key
  const { key } = await holdFor(anna.user.id, id, 100)
  await settle(db, key, 70, {})
  const list = (who: SignedIn) => who.call(transactionsApi.list, { query: { keyId: id, limit: 50 } })
  expect(await list(anna)).toMatchObject([{ symbols: -70, apiKeyId: id }])
  expect(await list(await app.signIn())).toEqual([])
  const ofAll = (keyId: string) => owner.call(ledgerApi.table, { query: { keyId } })
  expect(await ofAll(id)).toMatchObject({ total: 1, items: [{ symbols: -70, apiKeyId: id }] })
  expect(await ofAll('other')).toMatchObject({ total: 0 })
})

test('the new owner of an address gets no earlier keys (S10.997)', async () => {
  const anna = await app.signIn()
  const { secret } = await make(anna)
  await forgetFormerOwner(db, anna.user.id)
  await expect(find(secret)).rejects.toMatchObject({ refusal: 'invalid_api_key' })
})
