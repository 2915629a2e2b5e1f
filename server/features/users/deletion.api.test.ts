import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountApi } from '#contract/account.ts'
import { paymentEventsApi } from '#contract/payment-events.ts'
import { CONSENT_VERSION, paymentsApi } from '#contract/payments.ts'
import { projectsApi } from '#contract/projects.ts'
import { promptsApi } from '#contract/prompts.ts'
import { usersApi } from '#contract/users.ts'
import { linkTo } from '#server/auth/testing/steps.ts'
import { turnOnTotp } from '#server/auth/testing/totp.ts'
import { orders, passkeys, paymentEvents, rateLimits, sessions, storageOrphans, users } from '#server/db/schema.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { uploadAndWait } from '../files/testing/upload.ts'
import { reconcilePending } from '../payments/poll-gateway.ts'
import { startPaidApp } from '../payments/testing/paid-app.ts'
import { deleteMarkedFiles, markFilesForDeletion } from '../storage/cleaning.ts'

const app = await startPaidApp({ trustedProxies: 1 })

const NAME = 'Аннабелла Неповторимая'
const IP = '203.0.113.77'
const WORDS = 'неповторимое содержимое файла'
const HOLDER = 'IVAN IVANOV'
const from = { headers: { 'x-forwarded-for': IP } }

/** All places in the database that contain one of the texts, as `table.column`. */
async function placesOf(texts: string[]): Promise<string[]> {
  const { rows } = await app.database.execute(`
    select table_schema || '.' || quote_ident(table_name) as "table", quote_ident(column_name) as "column"
    from information_schema.columns
    where table_schema in ('public', 'jobs') and data_type in ('text', 'character varying', 'jsonb', 'json', 'ARRAY')`)
  const tables: string[] = []
  for (const { table, column } of rows as { table: string; column: string }[]) {
    const found = await app.database.execute(
      `select 1 from ${table} where exists (select from unnest($1::text[]) t where position(lower(t) in lower(${column}::text)) > 0) limit 1`,
      [texts],
    )
    if (found.rows.length > 0) tables.push(`${table.replace('public.', '')}.${column}`)
  }
  return tables.sort()
}

async function bytesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n')
}

async function storedKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.files.storage.list('uploads')) keys.push(key)
  return keys
}

const { owned } = app.features.core.files
await owned.check()
const deleteFiles = () => deleteMarkedFiles({ db: app.db, log: app.log, owned })

async function leaveForGood(person: SignedIn) {
  await person.call(accountApi.deleteUser, { body: {} })
  await person.fetch(linkTo(app, person.user.email, 'Удаление'))
  expect(await app.db.$count(users, eq(users.id, person.user.id))).toBe(0)
}

/** A user with personal data in every table that stores some. */
async function aUserWithTraces(email: string) {
  const anna = await app.signIn(email)
  await anna.call(usersApi.update, { params: { id: anna.user.id }, body: { name: NAME } })
  await turnOnTotp(anna)
  await app.db.insert(passkeys).values({
    ...{ id: anna.user.id, userId: anna.user.id, name: NAME, credentialID: anna.user.id, publicKey: '' },
    ...{ counter: 0, deviceType: 'singleDevice', backedUp: false },
  })
  await app.db.update(sessions).set({ ipAddress: IP }).where(eq(sessions.userId, anna.user.id))
  await anna.call(promptsApi.create, { body: { title: WORDS, content: WORDS } })
  await anna.call(projectsApi.create, { body: { name: WORDS, instructions: WORDS } })
  await uploadAndWait(anna, 'a.txt', WORDS)
  const plan = await app.aPlan()
  const json = { ...from.headers, 'content-type': 'application/json' }
  const consent = { planId: plan.id, version: CONSENT_VERSION }
  await anna.fetch(paymentsApi.consent.path, { method: 'POST', headers: json, body: JSON.stringify(consent) })
  const page = await anna.fetch(`${paymentsApi.subscriptionUrl.path}?planId=${plan.id}`, from)
  await app.press(((await page.json()) as { redirect_url: string }).redirect_url, 'pay')
  await app.buyBundle(anna, (await app.aBundle()).id)
  await app.db.insert(rateLimits).values({ key: `link-address:${email}`, points: 1 })
  const [order] = await app.db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, anna.user.id), eq(orders.kind, 'plan')))
  return { anna, orderId: order?.id ?? '', uid: order?.gatewayUid ?? '' }
}

test('webhook events are stored without data of the payer (S10.83)', async () => {
  const email = 'masked-payer@example.test'
  const { anna } = await aUserWithTraces(email)
  const stored = JSON.stringify(await app.db.select().from(paymentEvents))
  expect(stored).not.toMatch(new RegExp(`${email}|${IP}|${HOLDER}`))
  const found = (query: string) => app.owner.call(paymentEventsApi.table, { query: { query, state: 'all' } })
  expect((await found(email.toUpperCase())).total).toBeGreaterThan(0)
  await leaveForGood(anna)
  expect((await found(email)).total).toBe(0)
})

test('deleting an account deletes all personal data at once, rows and files (S10.84)', async () => {
  const email = 'unforgettable-person@example.test'
  const { anna, orderId } = await aUserWithTraces(email)
  await app.sendEmails()
  const needles = [email, NAME, IP, WORDS, HOLDER]
  expect(await placesOf(needles)).toEqual(
    expect.arrayContaining(['consents.ip', 'email_outbox.recipient', 'users.email']),
  )
  const before = await storedKeys()
  expect(before.length).toBeGreaterThan(0)
  await leaveForGood(anna)

  expect(await placesOf(needles)).toEqual([])
  await deleteFiles()
  expect(await storedKeys()).toEqual([])
  expect(await app.db.$count(storageOrphans)).toBe(0)
  expect(await bytesOf(app.folder)).not.toContain(WORDS)
  // The financial records stay.
  expect(await app.db.select().from(orders).where(eq(orders.id, orderId))).toMatchObject([
    { userId: null, amount: 990, status: 'paid' },
  ])

  // A later webhook event does not store personal data again.
  await reconcilePending(app.payments)
  await app.fakeBepaid.webhookSender.idle()
  expect(await app.db.$count(paymentEvents, like(paymentEvents.dedupeKey, 'sub:%:canceled:%'))).toBeGreaterThan(0)
  expect(await placesOf([...needles, 'u•••@example.test'])).toEqual([])
  expect((await app.owner.call(paymentEventsApi.table, { query: { query: email, state: 'all' } })).total).toBe(0)
})

test('a refused deletion deletes nothing', async () => {
  const { user } = app.owner
  await uploadAndWait(app.owner, 'owner.txt', 'Файл владельца')
  await app.db.insert(rateLimits).values({ key: `link-address:${user.email}`, points: 1 })
  await markFilesForDeletion({ db: app.db, owned: owned }, user.id)
  await expect(app.db.delete(users).where(eq(users.id, user.id))).rejects.toThrow()
  expect(await deleteFiles()).toBe(0)
  expect(await bytesOf(app.folder)).toContain('Файл владельца')
  expect(await placesOf([user.email])).toContain('rate_limits.key')
})

test('data of an email with the same ending stays', async () => {
  const other = 'joanna@example.test'
  const anna = await app.signIn('anna@example.test')
  await app.db.insert(rateLimits).values({ key: `link-address:${other}`, points: 1 })
  await app.visitor().post('/api/auth/sign-in/magic-link', { email: other, callbackURL: '/' })
  await leaveForGood(anna)
  expect(await placesOf([other])).toEqual(['rate_limits.key', 'verifications.value'])
})
