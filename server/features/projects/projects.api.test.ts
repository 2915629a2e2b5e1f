import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { ProjectDraft, projectsApi } from '#contract/projects.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { threadsApi } from '#contract/threads.ts'
import { filePassages, files, messages, models, searchWords, threads } from '#server/db/schema.ts'
import { readLimits } from '#server/http/limit-settings.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { addFileAndWait, settled } from '../assistants/testing/add-file.ts'
import { knownText } from '../files/upload.ts'
import { projects as feature } from './feature.ts'
import { createProjectWithFiles } from './projects.ts'

const MOST = 5
const limits = readLimits(`stored-projects=${MOST}`).settings
const published: (TopicEvent & { userId: string })[] = []
const app = await testApp({
  settings: { limits },
  deps: { publish: (userId, event) => published.push({ userId, ...event }) },
})
const model = { name: 'Модель', provider: 'demo', providerModel: 'demo' }
await app.db.insert(models).values([
  { ...model, id: 'smart', name: 'Умная', canUseWithAssistant: true },
  { ...model, id: 'plain', canUseWithAssistant: false },
])

const create = (who: SignedIn, draft: Partial<ProjectDraft> = {}) =>
  who.call(projectsApi.create, { body: { name: 'Ремонт', ...draft } })
const get = (who: SignedIn, id: string) => who.call(projectsApi.get, { params: { id } })
const newChat = async (who: SignedIn, projectId: string | null = null) =>
  who.call(threadsApi.create, { body: { projectId } })
const change = (who: SignedIn, id: string, body: object) => who.call(threadsApi.update, { params: { id }, body })
const chatsIn = async (who: SignedIn, project: string, query?: string) =>
  (await who.call(threadsApi.list, { query: { project, ...(query && { query }) } })).map(({ id }) => id)

describe('a project', () => {
  test('has defaults and is read as it was made (S10.850)', async () => {
    const anna = await app.signIn()
    const made = await create(anna, { modelId: 'smart', instructions: 'Кратко', icon: '🏠' })
    expect(made).toMatchObject({
      ...{ name: 'Ремонт', icon: '🏠', instructions: 'Кратко', replacesPersonal: false, archived: false, chats: 0 },
      ...{ modelId: 'smart', Model: { id: 'smart', name: 'Умная' }, country: null, files: [] },
      symbols: { instructions: 6, passages: 0, searchWords: 0 },
    })
    expect(await get(anna, made.id)).toEqual(made)
    expect((await create(anna)).icon).toBe('gray')
  })

  test('is changed only where the change names a field (S10.850)', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna, { instructions: 'Как есть' })
    const changed = await anna.call(projectsApi.update, { params: { id }, body: { name: 'Дача', archived: true } })
    expect(changed).toMatchObject({ name: 'Дача', archived: true, instructions: 'Как есть', icon: 'gray' })
    expect(await get(anna, id)).toEqual(changed)
  })

  test('refuses an icon that is no colour and no emoji (S10.850)', async () => {
    const anna = await app.signIn()
    for (const icon of ['pink', 'дом', ''])
      await expect(create(anna, { icon })).rejects.toMatchObject({ status: 400, field: 'icon' })
    await expect(create(anna, { modelId: 'plain' })).rejects.toMatchObject({ status: 400, field: 'modelId' })
  })

  test('is listed to its owner by name, with the number of chats (S10.850)', async () => {
    const [anna, boris] = [await app.signIn(), await app.signIn()]
    await create(boris, { name: 'Чужой' })
    const second = await create(anna, { name: 'яблоки' })
    const first = await create(anna, { name: 'Арбузы' })
    await newChat(anna, first.id)
    const listed = await anna.call(projectsApi.list, {})
    expect(listed.map(({ id, chats }) => [id, chats])).toEqual([
      [first.id, 1],
      [second.id, 0],
    ])
    expect(await boris.call(projectsApi.list, {})).toHaveLength(1)
  })

  test('of another person is not found (S10.851)', async () => {
    const [anna, boris] = [await app.signIn(), await app.signIn()]
    const { id } = await create(anna)
    const { id: fileId } = await addFileAndWait(anna, id, 'a.txt', 'Текст', projectsApi)
    const own = await newChat(boris)
    const refused = [
      () => get(boris, id),
      () => boris.call(projectsApi.update, { params: { id }, body: { name: 'Моё' } }),
      () => boris.call(projectsApi.delete, { params: { id }, query: { chats: 'keep' } }),
      () => boris.call(projectsApi.spending, { params: { id } }),
      () => boris.call(projectsApi.removeFile, { params: { id, fileId } }),
      () => boris.call(projectsApi.retryFile, { params: { id, fileId } }),
      () => boris.call(projectsApi.payFile, { params: { id, fileId } }),
      () => newChat(boris, id),
      () => change(boris, own.id, { projectId: id }),
    ]
    for (const call of refused) await expect(call()).rejects.toMatchObject({ status: 404 })
    await expect(addFileAndWait(boris, id, 'b.txt', 'Текст', projectsApi)).rejects.toThrow('404')
    expect(await get(anna, id)).toMatchObject({ name: 'Ремонт', chats: 0, files: [{ id: fileId }] })
    expect(await chatsIn(boris, id)).toEqual([])
  })

  test('cannot be made beyond the limit, also not at once (S10.852)', async () => {
    const anna = await app.signIn()
    const made = await Promise.allSettled(Array.from({ length: MOST + 3 }, () => create(anna)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(MOST)
    await expect(create(anna)).rejects.toMatchObject({ status: 409, message: expect.stringContaining(`${MOST}`) })
  })

  test('tells the pages of its owner about changes', async () => {
    const anna = await app.signIn()
    published.length = 0
    const { id } = await create(anna)
    await anna.call(projectsApi.delete, { params: { id }, query: { chats: 'keep' } })
    const own = published.filter(({ topic }) => topic === 'projects')
    expect(own).toEqual([
      { userId: anna.user.id, topic: 'projects', type: 'changed', data: { id } },
      { userId: anna.user.id, topic: 'projects', type: 'removed', data: { id } },
    ])
  })
})

describe('chats of a project', () => {
  test('begin with its model unless another is chosen (S10.853)', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna, { modelId: 'smart' })
    const chat = await newChat(anna, id)
    expect(chat).toMatchObject({ projectId: id, Model: { id: 'smart' }, Project: { id, name: 'Ремонт', icon: 'gray' } })
    const other = { projectId: id, Model: { connect: { id: 'plain' } } }
    expect(await anna.call(threadsApi.create, { body: other })).toMatchObject({ Model: { id: 'plain' } })
  })

  test('move without a new time and leave the other project (S10.854)', async () => {
    const anna = await app.signIn()
    const [first, second] = [await create(anna), await create(anna)]
    const [chat, newer] = [await newChat(anna), await newChat(anna)]
    const listed = async () => (await anna.call(threadsApi.list, { query: {} })).map(({ id }) => id)
    expect(await change(anna, chat.id, { projectId: first.id })).toMatchObject({
      ...{ projectId: first.id, updatedAt: chat.updatedAt, version: chat.version + 1 },
    })
    await change(anna, chat.id, { projectId: second.id })
    expect(await chatsIn(anna, first.id)).toEqual([])
    expect(await chatsIn(anna, second.id)).toEqual([chat.id])
    expect(await change(anna, chat.id, { projectId: null })).toMatchObject({
      ...{ projectId: null, updatedAt: chat.updatedAt },
    })
    expect(await listed()).toEqual([newer.id, chat.id])
  })

  test('are searched apart from all others (S10.855)', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna)
    const [inside, outside] = [await newChat(anna, id), await newChat(anna)]
    await change(anna, inside.id, { title: 'Обои в спальню' })
    await change(anna, outside.id, { title: 'Обои на кухню' })
    expect(await chatsIn(anna, id, 'обои')).toEqual([inside.id])
    expect((await anna.call(threadsApi.list, { query: { query: 'обои' } })).length).toBe(2)
  })

  test('keep their project in a copy (S10.854)', async () => {
    const anna = await app.signIn()
    const { id } = await create(anna)
    const chat = await newChat(anna, id)
    const [messageId] = await say(anna, chat.id, 10)
    const copy = await anna.call(threadsApi.fork, { params: { id: chat.id }, body: { messageId: messageId ?? '' } })
    expect(copy.projectId).toBe(id)
  })
})

/** A question that has cost so much. */
async function say(who: SignedIn, threadId: string, charged: number, createdAt = new Date()): Promise<string[]> {
  const id = newId()
  const row = { id, threadId, userId: who.user.id, role: 'user', content: 'Да', status: 'complete' } as const
  await app.db.insert(messages).values({ ...row, charged, createdAt })
  await app.db.update(threads).set({ currentLeafId: id }).where(eq(threads.id, threadId))
  return [id]
}

describe('deleting a project', () => {
  async function withChats() {
    const anna = await app.signIn()
    const { id } = await create(anna)
    await addFileAndWait(anna, id, 'смета.txt', 'Смета на обои', projectsApi)
    const [open, archived] = [await newChat(anna, id), await newChat(anna, id)]
    await change(anna, archived.id, { archived: true })
    return { anna, id, open: open.id, archived: archived.id }
  }
  const remove = (who: SignedIn, id: string, chats: 'keep' | 'trash') =>
    who.call(projectsApi.delete, { params: { id }, query: { chats } })
  const listOf = async (who: SignedIn, view: 'active' | 'archived' | 'trash') =>
    (await who.call(threadsApi.list, { query: { view } })).map(({ id }) => id)

  test('says first what happens to the chats (S10.856)', async () => {
    const { anna, id } = await withChats()
    const response = await anna.fetch(`/api/projects/${id}`, { method: 'DELETE' })
    expect(response.status).toBe(400)
    expect((await get(anna, id)).chats).toBe(2)
  })

  test('keeps the chats where they are, archived ones too (S10.856)', async () => {
    const { anna, id, open, archived } = await withChats()
    await remove(anna, id, 'keep')
    expect([await listOf(anna, 'active'), await listOf(anna, 'archived')]).toEqual([[open], [archived]])
    expect(await anna.call(threadsApi.get, { params: { id: archived }, query: {} })).toMatchObject({
      ...{ projectId: null, Project: null },
    })
  })

  test('moves all of them to the trash when asked (S10.856)', async () => {
    const { anna, id, open, archived } = await withChats()
    await remove(anna, id, 'trash')
    expect((await listOf(anna, 'trash')).toSorted()).toEqual([open, archived].toSorted())
    expect(await change(anna, open, { deleted: false })).toMatchObject({ projectId: null, deletedAt: null })
  })

  test('removes files, passages and search words (S10.857)', async () => {
    const { anna, id } = await withChats()
    await app.db.insert(searchWords).values({ libraryId: id, question: 'hash', words: 'рулоны' })
    await remove(anna, id, 'keep')
    expect(await app.db.$count(files, eq(files.libraryId, id))).toBe(0)
    expect(await app.db.$count(filePassages, eq(filePassages.libraryId, id))).toBe(0)
    expect(await app.db.$count(searchWords, eq(searchWords.libraryId, id))).toBe(0)
    await expect(get(anna, id)).rejects.toMatchObject({ status: 404 })
  })
})

test('spending is summed by month, without copied messages (S10.858)', async () => {
  const anna = await app.signIn()
  const { id } = await create(anna)
  const chat = await newChat(anna, id)
  await say(anna, chat.id, 100, new Date('2026-09-05T10:00:00Z'))
  await say(anna, chat.id, 30, new Date('2026-10-05T10:00:00Z'))
  const [copied = ''] = await say(anna, chat.id, 7, new Date('2026-10-06T10:00:00Z'))
  await app.db.update(messages).set({ copied: true }).where(eq(messages.id, copied))
  const file = await addFileAndWait(anna, id, 'смета.txt', 'Смета', projectsApi)
  const paid = { charged: 12, createdAt: new Date('2026-10-07T10:00:00Z') }
  await app.db.update(files).set(paid).where(eq(files.id, file.id))
  expect(await anna.call(projectsApi.spending, { params: { id } })).toEqual([
    { month: '2026-10', chats: 30, files: 12 },
    { month: '2026-09', chats: 100, files: 0 },
  ])
})

test('a project with texts has them as readable files (S10.859)', async () => {
  const anna = await app.signIn()
  let id = ''
  await createProjectWithFiles(
    { db: app.db, publish: () => {}, user: anna.user },
    app.features.core.features.get(feature),
    ProjectDraft.parse({ name: 'Из архива', instructions: 'О плитке' }),
    [await knownText({ name: 'знания.md', content: 'Плитка стоит 900 рублей.' })],
    async (_, created) => {
      id = created
    },
  )
  const made = await anna.call(projectsApi.get, { params: { id } })
  expect(made).toMatchObject({ name: 'Из архива', instructions: 'О плитке' })
  const [file] = made.files
  expect(file && (await settled(anna, made.id, file, projectsApi))).toMatchObject({ name: 'знания.md', state: 'ready' })
  const [passage] = await app.db.select().from(filePassages).where(eq(filePassages.libraryId, made.id))
  expect(passage?.text).toContain('900 рублей')
})

test('the data of an account have its projects (S10.860)', async () => {
  const anna = await app.signIn()
  const { id } = await create(anna, { instructions: 'Пиши о ремонте' })
  const chat = await newChat(anna, id)
  const own = JSON.parse(await (await anna.fetch(`/api/users/${anna.user.id}/export`)).text())
  expect(own.projects).toMatchObject([{ id, name: 'Ремонт', instructions: 'Пиши о ремонте' }])
  expect(own.threads).toMatchObject([{ id: chat.id, projectId: id }])
})
