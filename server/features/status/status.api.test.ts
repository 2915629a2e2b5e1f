import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type StatusPartName, statusApi } from '#contract/status.ts'
import { backupMarkPath, noteBackup } from '#server/archive/last-backup.ts'
import { emailOutbox, instances, models, paymentEvents } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { databaseGauges } from '../health/figures.ts'
import { checkAndNoteLedger, setWarning } from '../statistics/notes.ts'
import { adviceFor, createStatus, type Observed, statusOf } from './status.ts'

const app = await testApp()

const now = new Date('2026-11-16T08:00:00.000Z')
const instance = (id: string, more: Partial<Observed['instances'][number]> = {}) => ({
  ...{ id, name: `${id}:3000`, build: 'b1', outages: [] },
  ...{ startedAt: '2026-11-16T07:00:00.000Z', seenAt: now.toISOString() },
  ...more,
})
const healthy: Observed = {
  ...{ now, warnings: [], databaseMs: 12, hasRedis: true, hasMail: true, hasShop: true },
  figures: { ledger_problems: 0, ledger_checked_age_seconds: 100, backup_age_seconds: 100 },
  queue: { waiting: 0, running: 0, failed: 0, oldest: null },
  instances: [instance('a')],
}
const part = (name: StatusPartName, more: Partial<Observed> = {}) =>
  statusOf({ ...healthy, ...more }).parts.find((each) => each.name === name)
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()

test('when nothing is wrong every part is in order', () => {
  expect(statusOf(healthy).parts.map(({ state }) => state)).toEqual(Array(12).fill('ok'))
})

test('services that an installation may do without are off, not broken', () => {
  const bare = { hasRedis: false, hasShop: false }
  const off = statusOf({ ...healthy, ...bare }).parts.filter(({ state }) => state !== 'ok')
  expect(off.map(({ name, state }) => [name, state])).toEqual([
    ['redis', 'off'],
    ['payments', 'off'],
  ])
})

test('what was never set up or done asks for attention (S10.1553)', () => {
  const bare = { hasMail: false, isTestShop: true, hasRealModel: false, figures: {} }
  const found = statusOf({ ...healthy, ...bare }).parts.filter(({ state }) => state !== 'ok')
  expect(found.map(({ name, state, lack }) => [name, state, lack])).toEqual([
    ['mail', 'degraded', 'mailbox'],
    ['payments', 'degraded', 'test-payments'],
    ['models', 'degraded', 'only-demo'],
    ['ledger', 'degraded', 'never-done'],
    ['backups', 'degraded', 'never-done'],
  ])
})

test('an instance’s outage is shown with its name and earliest moment', () => {
  const outage = (minutes: number) => [{ part: 'redis', since: ago(minutes * 60) }]
  const all = [instance('a', { outages: outage(3) }), instance('b', { outages: outage(5) }), instance('c')]
  expect(part('redis', { instances: all })).toMatchObject({
    ...{ state: 'down', since: ago(300), names: ['a:3000', 'b:3000'] },
  })
})

test('resting models are named', () => {
  const outages = [{ part: 'models', since: ago(60), names: ['gpt (openai)'] }]
  expect(part('models', { instances: [instance('a', { outages })] })).toMatchObject({
    ...{ state: 'degraded', since: ago(60), names: ['gpt (openai)'] },
  })
})

test('different builds are named, since the last start (S10.277)', () => {
  const all = [instance('a'), instance('b', { build: 'b2', startedAt: ago(60) })]
  expect(part('servers', { instances: all })).toMatchObject({
    ...{ state: 'degraded', names: ['b1', 'b2'], since: ago(60), count: 2 },
  })
})

test.each<[StatusPartName, Partial<Observed>, object]>([
  ['database', { databaseMs: 3000 }, { state: 'degraded', count: 3000 }],
  ['mail', { figures: { emails_waiting: 4, emails_oldest_seconds: 1200 } }, { state: 'degraded', since: ago(1200) }],
  ['mail', { figures: { emails_waiting: 1, emails_oldest_seconds: 5 } }, { state: 'ok', count: 1 }],
  ['payments', { figures: { gateway_unanswered: 2 } }, { state: 'down', count: 2 }],
  ['payments', { figures: { payment_events_odd: 1, payment_events_oldest_seconds: 90 } }, { since: ago(90) }],
  ['jobs', { queue: { ...healthy.queue, oldest: new Date(ago(400)) } }, { state: 'degraded', since: ago(400) }],
  ['jobs', { queue: { ...healthy.queue, failed: 3 } }, { state: 'degraded', count: 3 }],
  ['work', { figures: { holds_stale: 1, messages_streaming_stale: 1 } }, { state: 'degraded', count: 2 }],
  ['ledger', { figures: { ledger_problems: 2, ledger_checked_age_seconds: 60 } }, { state: 'down', count: 2 }],
  ['ledger', { figures: { ledger_problems: 0, ledger_checked_age_seconds: 100_000 } }, { state: 'degraded' }],
  ['backups', { figures: { backup_age_seconds: 100_000 } }, { state: 'degraded', at: ago(100_000) }],
  [
    'storage',
    { warnings: [{ name: 'storage', at: ago(10), message: 'Проверьте.' }] },
    { state: 'degraded', since: ago(10) },
  ],
])('%s is judged by %j', (name, more, expected) => {
  expect(part(name, more)).toMatchObject(expected)
})

test('only an administrator reads the state (S10.277)', async () => {
  const anna = await app.signIn()
  expect((await anna.fetch('/api/status')).status).toBe(403)
  expect((await app.visitor().fetch('/api/status')).status).toBe(401)
  const owner = await app.signIn('owner@example.test')
  const { parts, instances: alive } = await owner.call(statusApi.get, {})
  expect(parts.find(({ name }) => name === 'database')).toMatchObject({ state: 'ok' })
  expect(alive).toMatchObject([{ name: 'test', build: null, outages: [] }])
})

test('the state comes from rows: emails, payment events, warnings and outages (S10.277)', async () => {
  const { db } = app
  const services = { readFigures: () => databaseGauges(db), hasRedis: true, hasMail: true, hasShop: true }
  const old = sql`now() - interval '20 minutes'`
  const email = { id: 'l', key: 'l', recipient: 'a@example.test', subject: '', text: '', html: '' }
  await db.insert(emailOutbox).values({ ...email, createdAt: old })
  await db.insert(paymentEvents).values({ id: 'e', dedupeKey: 'e', body: {}, receivedAt: old })
  await setWarning(db, 'storage', 'Проверьте S3_BUCKET.')
  await checkAndNoteLedger(db)
  const outages = [{ part: 'redis', since: now.toISOString() }]
  await db.update(instances).set({ outages, build: 'b9' }).where(eq(instances.id, app.instance.id))
  const status = await createStatus(db, services)()
  const states = Object.fromEntries(status.parts.map(({ name, state, count }) => [name, [state, count]]))
  expect(states).toMatchObject({
    ...{ mail: ['degraded', 1], payments: ['degraded', 1], redis: ['down', null], storage: ['degraded', null] },
    ledger: ['ok', null],
  })
  expect(status.warnings).toMatchObject([{ message: 'Проверьте S3_BUCKET.' }])
  expect(status.instances).toMatchObject([{ build: 'b9', outages: ['redis'] }])
})

test('missing settings are warnings on the screen (S10.567)', async () => {
  const advice = adviceFor({ production: true, namesSupport: false })
  const services = { readFigures: async () => ({}), hasRedis: false, hasMail: true, hasShop: true, advice }
  const { warnings } = await createStatus(app.db, services)()
  expect(warnings.find(({ name }) => name === 'support')?.message).toContain('Задайте SUPPORT_URL или SUPPORT_EMAIL')
})

test('a missing pdftoppm is a warning where scans are read (S10.765)', async () => {
  const ready = (await (await app.visitor().fetch('/api/health/ready')).json()) as { missing: string[] }
  expect(ready.missing).toContain('pdftoppm')
  const services = { readFigures: async () => ({}), hasRedis: false, hasMail: true, hasShop: true }
  const warned = async () => (await createStatus(app.db, { ...services, missing: () => ready.missing })()).warnings
  expect(await warned()).not.toContainEqual(expect.objectContaining({ name: 'pdftoppm' }))
  const model = {
    id: 'reader',
    name: 'Чтец',
    kind: 'scan',
    provider: 'demo',
    providerModel: 'x',
    pagePrice: 100,
  } as const
  await app.db.insert(models).values({ ...model, position: 90 })
  expect(await warned()).toContainEqual(
    expect.objectContaining({ message: expect.stringMatching(/Установите пакет poppler-utils/) }),
  )
})

test('without a support address only production is warned (S10.567)', () => {
  expect(adviceFor({ production: false, namesSupport: false })).toEqual([])
  expect(adviceFor({ production: true, namesSupport: true })).toEqual([])
  expect(adviceFor({ production: true, namesSupport: false })).toHaveLength(1)
})

test('the state is read from the database at most every five seconds', async () => {
  let queries = 0
  const readFigures = async () => {
    queries += 1
    return {}
  }
  const read = createStatus(app.db, { readFigures, hasRedis: false, hasMail: false, hasShop: false })
  await Promise.all([read(), read(), read()])
  await read()
  expect(queries).toBe(1)
})

test('a finished backup is known by a note or by a file (S10.280)', async () => {
  const { db } = app
  expect(await databaseGauges(db)).not.toHaveProperty('backup_age_seconds')
  const folder = await mkdtemp(join(tmpdir(), 'symbol-backup-'))
  await noteBackup({ db, dataDir: folder, isEmbedded: true }, '20261116')
  await utimes(backupMarkPath(folder), new Date(), new Date(Date.now() - 7_200_000))
  const byFile = await databaseGauges(db, backupMarkPath(folder))
  expect(Math.round((byFile.backup_age_seconds ?? 0) / 60)).toBe(120)
  await noteBackup({ db, dataDir: folder, isEmbedded: false }, '20261116', new Date(Date.now() - 3_600_000))
  expect(Math.round(((await databaseGauges(db)).backup_age_seconds ?? 0) / 60)).toBe(60)
  await rm(folder, { recursive: true })
})
