import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { promptsApi } from '#contract/prompts.ts'
import { promptsAdminApi } from '#contract/prompts-admin.ts'
import { threadsApi } from '#contract/threads.ts'
import { messages, prompts, threads } from '#server/db/schema.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'

let anna: SignedIn
const { settings } = readLimits('stored-threads=4, stored-megabytes=1, fork-messages=6, stored-prompts=3')
const app = await testApp({ settings: { limits: settings } })
beforeEach(async () => {
  anna = await app.signIn()
})

const prompt = { title: 'Письмо', description: '', content: 'Напиши письмо', category: 'Работа', published: false }
const fork = (id: string, messageId: string) => anna.call(threadsApi.fork, { params: { id }, body: { messageId } })
/** Text that the database cannot compress. */
const noise = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000))).join('')

test('a fork of too many messages copies nothing', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const ids = await aBranch(app.db, origin, 7)
  await fork(origin.id, ids[5] ?? '')
  await expect(fork(origin.id, ids[6] ?? '')).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/больше 6 сообщений/),
  })
  expect(await app.db.$count(threads, eq(threads.userId, anna.user.id))).toBe(2)
})

test('a full storage refuses forks and edits until threads are deleted', async () => {
  const origin = await aThread(app.db, anna.user.id)
  const { id } = await aMessage(app.db, origin, { content: noise(90_000) })
  for (let i = 0; i < 2; i++) await fork(origin.id, id)
  const full = { status: 409, message: expect.stringMatching(/занимают 1 МБ/) }
  await fork(origin.id, id).catch((error: unknown) => expect(error).toMatchObject(full))
  await expect(fork(origin.id, id)).rejects.toMatchObject(full)
  const edit = { params: { id: origin.id, messageId: id }, body: { content: noise(100_000) } }
  await expect(anna.call(threadsApi.editMessage, edit)).rejects.toMatchObject(full)
  const stored = await app.db.select({ content: messages.content }).from(messages).where(eq(messages.id, id))
  expect(stored[0]?.content).toHaveLength(90_000)
})

test('the number of threads is limited, and repeated creates do not count', async () => {
  const made = []
  for (let i = 0; i < 4; i++) made.push((await anna.call(threadsApi.create, { body: {} })).id)
  await expect(anna.call(threadsApi.create, { body: {} })).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/не больше 4/),
  })
  await anna.call(threadsApi.create, { body: { id: String(made[3]) } })
  const first = { params: { id: String(made[0]) } }
  await anna.call(threadsApi.delete, { ...first, query: {} })
  await anna.call(threadsApi.delete, { ...first, query: { forever: '1' } })
  await anna.call(threadsApi.create, { body: {} })
})

test('the number of prompts is limited, however and whenever they are added', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => anna.call(promptsApi.create, { body: prompt })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const [own] = await app.db.select().from(prompts).where(eq(prompts.userId, anna.user.id))
  const params = { id: String(own?.id) }
  const full = { status: 409, message: expect.stringMatching(/не больше 3/) }
  await expect(anna.call(promptsApi.duplicate, { params })).rejects.toMatchObject(full)
  const file = { format: 'json' as const, text: JSON.stringify([{ ...prompt, title: 'Ещё' }]) }
  const { hash } = await anna.call(promptsAdminApi.preview, { body: file })
  await expect(anna.call(promptsAdminApi.import, { body: { ...file, hash } })).rejects.toMatchObject(full)
  await anna.call(promptsApi.delete, { params })
  await anna.call(promptsApi.create, { body: prompt })
})

test('prompts in the trash count too', async () => {
  for (let i = 0; i < 6; i++) {
    const { id } = await anna.call(promptsApi.create, { body: prompt })
    await anna.call(promptsApi.delete, { params: { id } })
  }
  await expect(anna.call(promptsApi.create, { body: prompt })).rejects.toMatchObject({ status: 409 })
})
