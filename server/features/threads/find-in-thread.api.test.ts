import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { threadsApi } from '#contract/threads.ts'
import { messages } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'

const app = await testApp()
const anna = await app.signIn()
const boris = await app.signIn()

const find = (id: string, query: string, who = anna) => who.call(threadsApi.find, { params: { id }, query: { query } })
const write = (id: string, content: string) => app.db.update(messages).set({ content }).where(eq(messages.id, id))

test('words are found in the whole shown branch, oldest first (S10.1492)', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const ids = await aBranch(app.db, thread, 240)
  const [first = '', , third = ''] = ids
  const last = ids.at(-1) ?? ''
  await write(first, 'Счёт за **всё** и 12\u00a0500 рублей')
  await write(last, 'ЕЩЕ один счет')
  await write(third, 'Имя my_var в коде')
  expect(await find(thread.id, 'счет')).toEqual([first, last])
  expect(await find(thread.id, ' за всё И ')).toEqual([first])
  expect(await find(thread.id, '12 500')).toEqual([first])
  expect(await find(thread.id, 'my_var')).toEqual([third])
  expect(await find(thread.id, '%')).toEqual([])
  expect(await find(thread.id, '**')).toEqual([])
})

test("another person's chat is not searched (S10.1492)", async () => {
  const thread = await aThread(app.db, anna.user.id)
  await aBranch(app.db, thread, 2)
  await expect(find(thread.id, 'вопрос', boris)).rejects.toMatchObject({ status: 404 })
})
