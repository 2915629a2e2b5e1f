import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { documentKinds, legalAdminApi, legalApi } from '#contract/legal.ts'
import { auditLog, legalVersions } from '#server/db/schema.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { memoryLimits, startTestApp, testApp } from '#server/testing/app.ts'
import { verifyChain } from '../audit/audit.ts'
import { hashOf } from './documents.ts'
import { isStillSample, readSample } from './samples.ts'
import { publish } from './testing/publish.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')

const read = (kind: string, version?: number) =>
  app.visitor().call(legalApi.read, { params: { kind }, query: version ? { version } : {} })

test('before publication the owner has a sample, and people see no document (S10.201)', async () => {
  for (const kind of documentKinds) {
    const { text, isSample, versions } = await owner.call(legalAdminApi.get, { params: { kind } })
    expect([kind, isSample, versions]).toEqual([kind, true, []])
    expect(text.length).toBeGreaterThan(100)
    await expect(read(kind)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('не опубликовал') })
  }
  expect(await owner.call(legalAdminApi.list, {})).toMatchObject(documentKinds.map((kind) => ({ kind, current: null })))
})

test('a sample cannot be published as a document of the seller (S10.201)', async () => {
  const params = { kind: 'offer' }
  for (const text of [await readSample('offer'), 'Исполнитель: указываются владельцем']) {
    const body = { text, asksConsent: true, base: 0 }
    await expect(owner.call(legalAdminApi.publish, { params, body })).rejects.toMatchObject({
      ...{ status: 400, field: 'text' },
    })
  }
  for (const kind of documentKinds) expect(isStillSample(await readSample(kind))).toBe(true)
})

test('each publication is a version with text, hash, time and author (S10.199)', async () => {
  await publish(owner, 'requisites', 'ООО «Ромашка»')
  const { versions } = await publish(owner, 'requisites', 'ООО «Ромашка», УНП 1\r\nМинск')
  const text = 'ООО «Ромашка», УНП 1\nМинск'
  expect(versions).toMatchObject([
    { version: 2, hash: hashOf(text), author: 'owner@example.test', asksConsent: false },
    { version: 1, hash: hashOf('ООО «Ромашка»'), asksConsent: false },
  ])
  expect(await read('requisites')).toMatchObject({ version: 2, currentVersion: 2, text, hash: hashOf(text) })
  expect(await read('requisites', 1)).toMatchObject({ version: 1, currentVersion: 2, text: 'ООО «Ромашка»' })
  await expect(read('requisites', 3)).rejects.toMatchObject({ status: 404 })
  await expect(read('secrets')).rejects.toMatchObject({ status: 404 })
})

test('a published version can be neither changed nor deleted (S10.199)', async () => {
  const published = eq(legalVersions.kind, 'requisites')
  await expect(app.db.update(legalVersions).set({ text: 'Иначе' }).where(published)).rejects.toThrow()
  await expect(app.db.delete(legalVersions).where(published)).rejects.toThrow()
})

test('two parallel publications make a single version without gaps in numbers (S10.200)', async () => {
  const params = { kind: 'privacy' }
  for (let base = 0; base < 3; base++) {
    const tries = Array.from({ length: 6 }, (_, n) =>
      owner.call(legalAdminApi.publish, { params, body: { text: `Текст ${base}-${n}`, asksConsent: true, base } }),
    )
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
  }
  const rows = await app.db
    .select({ version: legalVersions.version })
    .from(legalVersions)
    .where(eq(legalVersions.kind, 'privacy'))
    .orderBy(asc(legalVersions.version))
  expect(rows.map(({ version }) => version)).toEqual([1, 2, 3])
  const ahead = { text: 'Через одну', asksConsent: true, base: 7 }
  await expect(owner.call(legalAdminApi.publish, { params, body: ahead })).rejects.toMatchObject({ status: 409 })
})

test('a publication is audited with version and hash, a refusal is not (S10.199)', async () => {
  const rows = await app.db.select().from(auditLog).where(eq(auditLog.target, 'privacy')).orderBy(asc(auditLog.id))
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({
    ...{ action: 'document.publish', kind: 'document', actorEmail: 'owner@example.test' },
    after: { version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), asksConsent: false },
  })
  expect(await verifyChain(app.db)).toMatchObject({ broken: null })
})

test('the text is limited, and an empty text is refused', async () => {
  for (const text of ['', '   ', 'я'.repeat(200_001)])
    await expect(
      owner.call(legalAdminApi.publish, { params: { kind: 'offer' }, body: { text, asksConsent: true, base: 0 } }),
    ).rejects.toMatchObject({ status: 400, field: 'text' })
})

test('reading by strangers is limited (S10.199)', async () => {
  const { rows } = readLimits().settings
  const few = { ...rows, public: { ...rows.public, points: 3 } }
  const limited = await startTestApp({ deps: { limits: memoryLimits(few) }, database: app.database })
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await limited.visitor().fetch('/api/legal/requisites')).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  await limited.close()
})
