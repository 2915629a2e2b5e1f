import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { auditApi } from '#contract/audit.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { addressOf, type Endpoint } from '#contract/endpoint.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { pageApi } from '#contract/page.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { promocodesApi } from '#contract/promocodes.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { adminGrace, auditLog, passkeys, sessions, users, verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { memoryLimits, type SignedIn, startTestApp, type TestApp, testApp } from '#server/testing/app.ts'
import { DAY, MINUTE, withClockForward } from '#server/testing/clock.ts'
import { emailTo, errorOf, newAddress, PASSWORD, withPassword } from '../testing/steps.ts'
import { codeOf, turnOnTotp } from '../testing/totp.ts'
import { startGrace } from './proof.ts'

const app = await testApp()

const calls = Object.values(api).flatMap((section) => Object.values(section))
const asking = calls.filter(({ proof }) => proof === 'fresh')
const address = ({ path }: Endpoint) => path.replace(/:(\w+)/g, 'no-such-id')
const init = ({ method, body }: Endpoint): RequestInit => ({
  method,
  ...(body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
})

/** An admin of this app only, independent of other tests. */
async function anAdmin(): Promise<SignedIn> {
  const admin = await app.signIn()
  await app.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.user.id))
  return admin
}

const codeIn = (email: string) => emailTo(app, email, 'Код подтверждения').text.match(/\b\d{6}\b/)?.[0] ?? ''

describe('after a quarter of an hour a proof is asked for', () => {
  test.each(asking.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', async (_, call) => {
    const admin = await anAdmin()
    const response = await withClockForward(15 * MINUTE + 1000, () => admin.fetch(address(call), init(call)))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      code: 'proof_required',
      message: expect.stringMatching(/^Подтвердите/),
    })
  })

  test('refunds, roles, impersonation, passwords and addresses of others are among these calls', () => {
    expect(asking.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/api/orders/:id/refund',
        '/api/auth/admin/set-role',
        '/api/auth/admin/create-user',
        '/api/auth/admin/update-user',
        '/api/auth/admin/set-user-password',
        '/api/auth/admin/impersonate-user',
        '/api/auth/admin/reset-second-factor',
        '/api/auth/two-factor/disable',
      ]),
    )
  })

  test('the files with data of others', async () => {
    const admin = await anAdmin()
    const anna = await app.signIn()
    const files = [
      ...[
        usersAdminApi.csv.path,
        ledgerApi.csv.path,
        ordersAdminApi.csv.path,
        auditApi.csv.path,
        paymentEventsApi.csv.path,
        promocodesApi.csv.path,
      ],
      ...[`${transactionsApi.csv.path}?all=1`, `${transactionsApi.csv.path}?userId=${anna.user.id}`],
      addressOf(usersApi.export, { params: { id: anna.user.id } }),
    ]
    for (const file of files) {
      expect([file, (await admin.fetch(file)).status]).toEqual([file, 200])
      expect([file, (await withClockForward(16 * MINUTE, () => admin.fetch(file))).status]).toEqual([file, 403])
    }
    for (const own of [transactionsApi.csv.path, addressOf(usersApi.export, { params: { id: admin.user.id } })])
      expect([own, (await withClockForward(16 * MINUTE, () => admin.fetch(own))).status]).toEqual([own, 200])
  })
})

describe('a user without a second factor', () => {
  test('needs no proof shortly after signing in', async () => {
    const admin = await anAdmin()
    expect(await admin.call(authFactorsApi.proof, {})).toMatchObject({ fresh: true })
    const { user } = await app.signIn()
    await admin.call(authAdminApi.setRole, { body: { userId: user.id, role: 'user' } })
  })

  test('proves by an emailed code, once, for this session and ten minutes', async () => {
    const admin = await anAdmin()
    await withClockForward(16 * MINUTE, async () => {
      expect(await admin.call(authFactorsApi.proof, {})).toEqual({
        fresh: false,
        ways: ['email'],
        email: admin.user.email,
      })
      await admin.call(authFactorsApi.sendProofCode, {})
      const code = codeIn(admin.user.email)
      const wrong = code === '123456' ? '654321' : '123456'
      expect(await errorOf(admin.call(authFactorsApi.proveCode, { body: { code: wrong } }))).toMatchObject({
        status: 401,
        code: 'INVALID_CODE',
      })
      const elsewhere = await app.signIn(admin.user.email)
      expect((await errorOf(elsewhere.call(authFactorsApi.proveCode, { body: { code } }))).status).toBe(401)
      await admin.call(authFactorsApi.proveCode, { body: { code } })
      expect((await admin.call(authFactorsApi.proof, {})).fresh).toBe(true)
      expect((await errorOf(admin.call(authFactorsApi.proveCode, { body: { code } }))).status).toBe(401)
    })
    await withClockForward(32 * MINUTE, async () => {
      expect((await admin.call(authFactorsApi.proof, {})).fresh).toBe(false)
      await admin.call(authFactorsApi.sendProofCode, {})
    })
    const body = { code: codeIn(admin.user.email) }
    expect(
      (await errorOf(withClockForward(43 * MINUTE, () => admin.call(authFactorsApi.proveCode, { body })))).status,
    ).toBe(401)
    const rows = await app.db.select().from(verifications).where(like(verifications.identifier, 'proof-code-%'))
    expect(JSON.stringify(rows.map(({ value }) => value))).not.toContain(body.code)
  })

  test('proves by the password', async () => {
    const anna = await withPassword(app)
    await withClockForward(16 * MINUTE, async () => {
      expect((await anna.call(authFactorsApi.proof, {})).ways).toEqual(['password', 'email'])
      const wrong = anna.call(authFactorsApi.provePassword, { body: { password: 'not this one' } })
      expect((await errorOf(wrong)).code).toBe('INVALID_PASSWORD')
      await anna.call(authFactorsApi.provePassword, { body: { password: PASSWORD } })
      expect((await anna.call(authFactorsApi.proof, {})).fresh).toBe(true)
    })
  })

  test('cannot guess the code or the password by trying', async () => {
    const strict = await startTestApp({ deps: { limits: memoryLimits() } })
    const anna = await strict.signIn()
    await anna.call(authFactorsApi.sendProofCode, {})
    const statuses: number[] = []
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await errorOf(anna.call(authFactorsApi.proveCode, { body: { code: `00000${guess}` } }))).status)
    expect([...new Set(statuses.slice(0, 10)), statuses[10]]).toEqual([401, 429])
    for (let mail = 0; mail < 4; mail++) await anna.call(authFactorsApi.sendProofCode, {})
    expect((await errorOf(anna.call(authFactorsApi.sendProofCode, {}))).status).toBe(429)
    await strict.close()
  })
})

test('a user with a second factor proves by nothing weaker', async () => {
  const anna = await withPassword(app)
  const { key } = await turnOnTotp(anna)
  await withClockForward(16 * MINUTE, async () => {
    expect((await anna.call(authFactorsApi.proof, {})).ways).toEqual(['code'])
    await anna.call(authFactorsApi.provePassword, { body: { password: PASSWORD } })
    await anna.call(authFactorsApi.sendProofCode, {})
    await anna.call(authFactorsApi.proveCode, { body: { code: codeIn(anna.email) } })
    expect((await errorOf(anna.call(authFactorsApi.disableTotp, {}))).code).toBe('proof_required')
    await anna.call(authFactorsApi.verifyTotp, { body: { code: codeOf(key) } })
    await anna.call(authFactorsApi.disableTotp, {})
  })
  expect(emailTo(app, anna.email, 'выключен').text).toContain('выключен вход в два шага')
})

test('an active key cannot be replaced; new recovery codes replace old codes', async () => {
  const anna = await app.signIn()
  const { backupCodes } = await turnOnTotp(anna)
  expect(emailTo(app, anna.user.email, 'включён').text).toContain('включён вход в два шага')
  expect((await errorOf(anna.call(authFactorsApi.enableTotp, {}))).code).toBe('TOTP_ALREADY_ENABLED')
  const fresh = await anna.call(authFactorsApi.newBackupCodes, {})
  expect(new Set([...fresh.backupCodes, ...backupCodes]).size).toBe(20)
  const old = anna.call(authFactorsApi.verifyBackupCode, { body: { code: backupCodes[0] ?? '' } })
  expect((await errorOf(old)).status).toBe(401)
})

describe('an administrator who has to have a second factor', () => {
  const REQUIRED = { adminFactor: { required: true, graceDays: 7 } }
  let strict: TestApp
  beforeAll(async () => {
    strict = await startTestApp({ auth: REQUIRED })
  })
  afterAll(() => strict.close())

  async function boss() {
    const admin = await strict.signIn(newAddress('boss'))
    await strict.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.user.id))
    return admin
  }
  const endGrace = (userId: string) =>
    strict.db
      .insert(adminGrace)
      .values({ userId, since: new Date(Date.now() - 8 * DAY) })
      .onConflictDoUpdate({ target: adminGrace.userId, set: { since: new Date(Date.now() - 8 * DAY) } })

  test('has seven days, then only the profile until the factor is on', async () => {
    const admin = await boss()
    expect((await admin.fetch('/api/users')).status).toBe(200)
    await endGrace(admin.user.id)
    const refused = await admin.fetch('/api/users')
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'second_factor_required', message: expect.stringContaining('Вход в два шага') }),
    ])
    expect((await admin.post('/api/auth/admin/list-user-sessions', { userId: admin.user.id })).status).toBe(403)
    const anna = await strict.signIn()
    expect((await admin.fetch(`/api/users/${anna.user.id}`)).status).toBe(404)
    expect((await admin.fetch('/api/users/me')).status).toBe(200)
    await turnOnTotp(admin)
    expect((await admin.fetch('/api/users')).status).toBe(200)
  })

  test('has seven days from the first start that requires the factor', async () => {
    const admin = await boss()
    await startGrace(strict.db, { required: false, graceDays: 7 })
    expect(await strict.db.$count(adminGrace, eq(adminGrace.userId, admin.user.id))).toBe(0)
    await startGrace(strict.db, { required: true, graceDays: 7 })
    await startGrace(strict.db, { required: true, graceDays: 7 })
    expect(await strict.db.$count(adminGrace, eq(adminGrace.userId, admin.user.id))).toBe(1)
    const { user } = await admin.call(pageApi.state, {})
    expect(user?.factorDays).toBe(7)
    expect((await (await strict.signIn()).call(pageApi.state, {})).user).not.toHaveProperty('factorDays')
  })

  test('has to prove by the passkey after a sign-in by link', async () => {
    const admin = await boss()
    await endGrace(admin.user.id)
    const key = { id: newId(), userId: admin.user.id, publicKey: 'x', credentialID: newId() }
    await strict.db.insert(passkeys).values({ ...key, counter: 0, deviceType: 'singleDevice', backedUp: false })
    expect(await (await admin.fetch('/api/users')).json()).toMatchObject({ status: 403, code: 'proof_required' })
    expect((await admin.call(authFactorsApi.proof, {})).ways).toEqual(['passkey'])
  })

  test('can have a lost factor reset by another admin, with audit', async () => {
    const admin = await boss()
    await turnOnTotp(admin)
    const anna = await strict.signIn()
    await turnOnTotp(anna)
    await admin.call(authAdminApi.resetSecondFactor, { body: { userId: anna.user.id } })
    expect(await strict.db.$count(sessions, eq(sessions.userId, anna.user.id))).toBe(0)
    await strict.signIn(anna.user.email)
    const [row] = await strict.db.select().from(auditLog).where(eq(auditLog.action, 'user.factor_reset'))
    expect(row).toMatchObject({ actorId: admin.user.id, target: anna.user.id })
    const own = await strict.db.select().from(auditLog).where(eq(auditLog.action, 'user.factor_added'))
    expect(own.some(({ actorId }) => actorId === admin.user.id)).toBe(true)
    expect(own.some(({ actorId }) => actorId === anna.user.id)).toBe(false)
    const user = await strict.signIn()
    expect((await user.post('/api/auth/admin/reset-second-factor', { userId: admin.user.id })).status).toBe(403)
    expect((await user.post('/api/auth//admin/reset-second-factor', { userId: admin.user.id })).status).toBeGreaterThan(
      400,
    )
  })
})
