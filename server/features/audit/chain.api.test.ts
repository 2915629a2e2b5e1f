import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditLog, plans } from '#server/db/schema.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type AuditNote, audit, canonicalJson, GENESIS, hashRow, reportOf, verifyChain } from './audit.ts'

const database = await testDatabase()
const anna = {
  db: database.db,
  user: { id: 'anna', email: 'anna@example.test' },
  ip: '203.0.113.7',
  request: { id: 'request-1', userAgent: 'Browser' },
}

const rows = () => database.db.select().from(auditLog).orderBy(asc(auditLog.id))
const plan = (values: Partial<AuditNote> = {}): AuditNote => ({
  action: 'plan.change',
  kind: 'plan',
  target: 'p1',
  ...values,
})

test('an action is recorded with actor, target, time, origin and changed fields', async () => {
  const before = { name: 'Мини', price: 19900, position: 0, tags: [1, 2] }
  await audit(anna, plan({ before, after: { ...before, price: 24900 }, note: 'Дороже' }))
  expect((await rows()).at(-1)).toMatchObject({
    actorId: 'anna',
    actorEmail: 'anna@example.test',
    action: 'plan.change',
    kind: 'plan',
    target: 'p1',
    before: { price: 19900 },
    after: { price: 24900 },
    note: 'Дороже',
    ip: '203.0.113.7',
    userAgent: 'Browser',
    requestId: 'request-1',
  })
})

test('secrets are never recorded, at any depth', async () => {
  await audit(anna, {
    action: 'user.create',
    kind: 'user',
    target: 'u1',
    after: {
      email: 'new@example.test',
      password: 'x1',
      newPassword: 'x2',
      availableTokens: 5,
      account: { accessToken: 'x3', refresh_token: 'x4', apiKey: 'x5', scopes: ['email'] },
      sessions: [{ id: 's', token: 'x6', cookie: 'x7' }],
      codeHash: 'x8',
      code: 'x9',
      clientSecret: 'x10',
    },
  })
  const after = (await rows()).at(-1)?.after
  expect(after).toEqual({
    email: 'new@example.test',
    availableTokens: 5,
    account: { scopes: ['email'] },
    sessions: [{ id: 's' }],
  })
})

test('unstorable or very long texts do not stop an action', async () => {
  await audit(anna, plan({ after: { name: 'a\0b\ud800', text: 'я'.repeat(5000), at: new Date(0) }, note: 'x\0\udc00' }))
  const { after, note } = (await rows()).at(-1) ?? {}
  expect(after).toEqual({ name: 'ab\ufffd', text: `${'я'.repeat(2000)}…`, at: '1970-01-01T00:00:00.000Z' })
  expect(note).toBe('x\ufffd')
})

test('a rolled back action leaves neither a row nor a gap', async () => {
  const before = await rows()
  const failing = database.db.transaction(async (tx) => {
    await audit({ ...anna, db: tx }, plan())
    throw new Error('undo')
  })
  await expect(failing).rejects.toThrow('undo')
  expect(await rows()).toEqual(before)
  await audit(anna, plan())
  expect((await rows()).at(-1)?.id).toBe(before.length + 1)
})

test('rows are appended at the commit, so actions do not block others', async () => {
  await database.db.insert(plans).values(['one', 'two'].map((id) => ({ id, name: 'Мини' })))
  const action = (ids: string[]) =>
    database.db.transaction(async (tx) => {
      for (const id of ids) {
        await audit({ ...anna, db: tx }, plan({ target: id }))
        await tx.update(plans).set({ position: 1 }).where(eq(plans.id, id))
      }
    })
  const length = (await rows()).length
  await Promise.all(Array.from({ length: 6 }, () => action(['one', 'two'])))
  expect(await rows()).toHaveLength(length + 12)
})

test('parallel appends make a single chain without gaps', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => audit(anna, plan({ after: { n, x: n / 7, y: 1e21 } }))))
  let prevHash = GENESIS
  for (const [index, row] of (await rows()).entries()) {
    expect(row.id).toBe(index + 1)
    expect(row.prevHash).toBe(prevHash)
    expect(row.hash).toBe(hashRow(prevHash, row.id, canonicalJson(row)))
    prevHash = row.hash
  }
})

test('the log can be neither changed nor emptied', async () => {
  const { db } = database
  const refused = { cause: { message: 'the audit log is append-only' } }
  await expect(db.update(auditLog).set({ note: '' })).rejects.toMatchObject(refused)
  await expect(db.delete(auditLog).where(eq(auditLog.id, 1))).rejects.toMatchObject(refused)
  await expect(db.execute(sql`truncate audit_log`)).rejects.toMatchObject(refused)
})

/** Changes the log with direct access to the database, then rolls back. */
async function tamper(statement: string, check: () => Promise<void>) {
  const { execute } = database
  await execute('create table kept as select * from audit_log; alter table audit_log disable trigger user')
  try {
    await execute(statement)
    await check()
  } finally {
    await execute('delete from audit_log; insert into audit_log select * from kept; drop table kept')
    await execute('alter table audit_log enable trigger user')
  }
}

test.each([
  [`update audit_log set note = 'Другое' where id = 5`, 5, 'content'],
  [`update audit_log set after = after || '{"n": 999}' where id = 30`, 30, 'content'],
  [`update audit_log set actor_id = 'boris' where id = 1`, 1, 'content'],
  [`update audit_log set at = at + interval '1 millisecond' where id = 7`, 7, 'content'],
  ['delete from audit_log where id = 9', 10, 'gap'],
  ['delete from audit_log where id = 1', 2, 'gap'],
  [`update audit_log set prev_hash = hash where id = 12`, 12, 'link'],
  [`update audit_log set hash = encode(sha256('x'), 'hex') where id = 8`, 8, 'content'],
] as const)('a change past the trigger is found at its row: %s', async (statement, id, reason) => {
  await tamper(statement, async () => {
    expect(await verifyChain(database.db)).toMatchObject({
      count: id - (reason === 'gap' ? 2 : 1),
      broken: { id, reason },
    })
  })
  expect((await verifyChain(database.db)).broken).toBeNull()
})

test('a hash stored elsewhere proves that rows were cut off the end', async () => {
  const { head, count } = await verifyChain(database.db)
  expect(head).toBe((await rows()).at(-1)?.hash)
  await tamper(`delete from audit_log where id > ${count - 3}`, async () => {
    expect(await verifyChain(database.db, head)).toMatchObject({
      broken: null,
      isStoredHashFound: false,
      count: count - 3,
    })
  })
  await audit(anna, plan())
  expect(await verifyChain(database.db, head)).toMatchObject({
    broken: null,
    isStoredHashFound: true,
    count: count + 1,
  })
})

test('the command reports the first broken row and a missing stored hash', () => {
  const whole = { count: 5, head: 'abc', broken: null, isStoredHashFound: true }
  expect(reportOf(whole)).toEqual({ text: 'Цепочка цела. Записей: 5\nПоследний хеш: abc\n', ok: true })
  const torn = reportOf({ ...whole, broken: { id: 6, reason: 'content' } })
  expect(torn.ok).toBe(false)
  expect(torn.text).toContain('порвана на записи № 6: её содержание изменили')
  const cut = reportOf({ ...whole, isStoredHashFound: false })
  expect(cut.ok).toBe(false)
  expect(cut.text).toContain('Сохранённого хеша в цепочке нет')
})
