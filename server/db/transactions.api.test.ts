import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { models } from './schema.ts'
import { afterCommit } from './transactions.ts'

const database = await testDatabase()

test('the outer database inside a transaction is an error at once', async () => {
  const { db } = database
  const query = db.transaction(() => db.execute(sql`select 1`) as Promise<unknown>)
  await expect(query).rejects.toMatchObject({ cause: { message: expect.stringContaining('pass the transaction on') } })
  await expect(db.transaction(() => db.transaction(async () => 1))).rejects.toThrow('pass the transaction on')
  expect(await db.select().from(models)).not.toHaveLength(0)
})

test('work that waits for the commit runs after it, never after rollback', async () => {
  const { db } = database
  const seen: string[] = []
  await db.transaction(async (tx) => {
    await tx.transaction(async () => afterCommit(() => seen.push('inner')))
    afterCommit(() => seen.push('outer'))
    expect(seen).toEqual([])
  })
  expect(seen).toEqual(['inner', 'outer'])
  const failing = db.transaction(async () => {
    afterCommit(() => seen.push('never'))
    throw new Error('undo')
  })
  await expect(failing).rejects.toThrow('undo')
  afterCommit(() => seen.push('at once'))
  expect(seen).toEqual(['inner', 'outer', 'at once'])
})
