import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { importsApi } from '#contract/imports.ts'
import { projectsApi } from '#contract/projects.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { messageFiles, messages, projects, threads } from '#server/db/schema.ts'
import { claudeChat, claudeProject, json, simpleGptChat, zipOf } from '#server/files/chats/testing/fixtures.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { addFileAndWait } from '../assistants/testing/add-file.ts'
import { importing } from './testing/importing.ts'

const WAIT = { timeout: 30_000, interval: 100 }
const app = await testApp()
const { queue, upload, bring, settled } = importing(app)

const claudeArchive = (...projects: object[]) =>
  zipOf({
    // The chat comes before its project.
    'conversations.json': json([claudeChat('in-project', { project_uuid: claudeProject.uuid }), claudeChat('alone')]),
    'projects.json': json([claudeProject, ...projects]),
  })

test('projects of Claude come with instructions, texts and chats (S10.893)', async () => {
  const visitor = await app.signIn()
  const long = { uuid: 'long', name: ' ', prompt_template: 'я'.repeat(20_001), docs: [] }
  const many = { uuid: 'many', name: 'Много', docs: Array.from({ length: 21 }, (_, i) => ({ content: `текст ${i}` })) }
  const { found, result, id } = await bring(visitor, claudeArchive(long, many))
  expect(found).toMatchObject({ chats: 2, projects: 3, knownProjects: 0 })
  expect(result).toMatchObject({ added: 2, projects: 3, skipped: 0 })
  const list = await visitor.call(projectsApi.list, {})
  expect(list.map(({ name, chats }) => [name, chats])).toEqual([
    [claudeProject.name, 1],
    ['Много', 0],
    ['Проект без названия', 0],
  ])
  const read = (at: number) => visitor.call(projectsApi.get, { params: { id: list[at]?.id ?? '' } })
  const first = await read(0)
  expect(first.instructions).toBe(claudeProject.prompt_template)
  expect(first.files.map(({ name }) => name)).toEqual(claudeProject.docs.map(({ filename }) => filename))
  await vi.waitFor(async () => expect((await read(0)).files.every(({ state }) => state === 'ready')).toBe(true), WAIT)
  expect((await read(1)).files).toHaveLength(20)
  const third = await read(2)
  expect(third.instructions).toHaveLength(20_000)
  expect(third.files.map(({ name }) => name)).toEqual(['Инструкции целиком.txt'])
  const report = await visitor.call(importsApi.items, { params: { id }, query: {} })
  expect(report.find(({ outcome }) => outcome === 'project')).toMatchObject({ title: 'Много', lostFiles: 1 })
})

test('a known project stays one; undo leaves changed ones (S10.894)', async () => {
  const visitor = await app.signIn()
  const other = { ...claudeProject, uuid: 'other', name: 'Другой' }
  const first = await bring(visitor, claudeArchive(other))
  const again = await bring(visitor, claudeArchive(other))
  expect(again).toMatchObject({ found: { projects: 2, knownProjects: 2 }, result: { projects: 0, known: 2 } })
  const names = async () => (await visitor.call(projectsApi.list, {})).map(({ name }) => name)
  expect(await names()).toHaveLength(2)
  const [mine] = (await visitor.call(projectsApi.list, {})).filter(({ name }) => name === 'Другой')
  await visitor.call(threadsApi.create, { body: { title: 'Свой', projectId: mine?.id ?? '' } })
  await visitor.call(importsApi.undo, { params: { id: first.id }, body: {} })
  expect(await settled(visitor, first.id)).toMatchObject({ result: { removed: 2, kept: 0, keptProjects: 1 } })
  expect(await names()).toEqual(['Другой'])
  await expect(visitor.call(importsApi.delete, { params: { id: first.id } })).rejects.toMatchObject({ status: 409 })
  // The one that is gone comes again, also when its owner deleted it.
  const third = await bring(visitor, claudeArchive(other))
  expect(third.result).toMatchObject({ added: 2, projects: 1 })
  for (const { id } of await visitor.call(projectsApi.list, {}))
    await visitor.call(projectsApi.delete, { params: { id }, query: { chats: 'trash' } })
  expect((await bring(visitor, claudeArchive(other))).result).toMatchObject({ projects: 2 })
  expect(await names()).toHaveLength(2)
})

test('a later archive brings new texts of a known project (S10.816)', async () => {
  const visitor = await app.signIn()
  const archiveOf = (docs: object[]) =>
    zipOf({ 'projects.json': json([{ ...claudeProject, prompt_template: `${docs.length}`, docs }]) })
  const docs = ['правила', 'цены', 'сроки'].map((name) => ({
    uuid: name,
    filename: `${name}.md`,
    content: `О ${name}`,
  }))
  const first = await bring(visitor, archiveOf(docs.slice(0, 1)))
  const later = await bring(visitor, archiveOf(docs.slice(0, 2)))
  expect(later).toMatchObject({ found: { knownProjects: 1 }, result: { projects: 0, documents: 1, skipped: 0 } })
  const [{ id } = { id: '' }] = await visitor.call(projectsApi.list, {})
  const read = () => visitor.call(projectsApi.get, { params: { id } })
  const names = async () => (await read()).files.map(({ name }) => name)
  expect([(await read()).instructions, await names()]).toEqual(['1', ['правила.md', 'цены.md']])
  // What its owner deleted stays deleted, and what came does not come twice.
  const [rules] = (await read()).files
  await visitor.call(projectsApi.removeFile, { params: { id, fileId: rules?.id ?? '' } })
  const last = await bring(visitor, archiveOf(docs))
  expect([last.result?.documents, await names()]).toEqual([1, ['цены.md', 'сроки.md']])
  // An undo removes the files of its own archive only; the project stays because of another one.
  await visitor.call(importsApi.undo, { params: { id: first.id }, body: {} })
  expect(await settled(visitor, first.id)).toMatchObject({ status: 'undone', result: { keptProjects: 1 } })
  await visitor.call(importsApi.undo, { params: { id: later.id }, body: {} })
  expect(await settled(visitor, later.id)).toMatchObject({ status: 'undone', result: { documents: 1 } })
  expect(await names()).toEqual(['сроки.md'])
  expect([(await bring(visitor, archiveOf(docs))).result?.documents, await names()]).toEqual([
    1,
    ['сроки.md', 'цены.md'],
  ])
})

test('texts without room in a known project are named (S10.816)', async () => {
  const visitor = await app.signIn()
  const archiveOf = (count: number) => {
    const docs = Array.from({ length: count }, (_, i) => ({ filename: `${i}.md`, content: `Текст ${i}` }))
    return zipOf({ 'projects.json': json([{ ...claudeProject, docs }]) })
  }
  await bring(visitor, archiveOf(19))
  const { id, result } = await bring(visitor, archiveOf(22))
  expect(result).toMatchObject({ documents: 1, skipped: 2 })
  const report = await visitor.call(importsApi.items, { params: { id }, query: {} })
  expect(report.map(({ title, reason }) => [title, reason]).toSorted()).toEqual([
    [`${claudeProject.name}: 20.md`, 'no-room'],
    [`${claudeProject.name}: 21.md`, 'no-room'],
  ])
})

async function withProject(visitor: SignedIn) {
  const project = await visitor.call(projectsApi.create, {
    body: { name: 'Ремонт: кухня', icon: '🔨', instructions: 'Цены в рублях' },
  })
  await addFileAndWait(visitor, project.id, 'смета.csv', Buffer.from('плитка;900'), projectsApi)
  const chat = await visitor.call(threadsApi.create, { body: { title: 'Плитка', projectId: project.id } })
  const form = new FormData()
  form.set('file', new File(['Кухня 9 метров'], 'замеры.txt'))
  const note = (await (await visitor.fetch('/api/files', { method: 'POST', body: form })).json()) as { id: string }
  await app.db.insert(messages).values([
    { ...messageOf(visitor, chat.id), id: `q-${chat.id}`, role: 'user', content: 'Сколько плитки?' },
    { ...messageOf(visitor, chat.id), id: `a-${chat.id}`, parentId: `q-${chat.id}`, role: 'assistant', content: '10' },
    { ...messageOf(visitor, chat.id), id: `b-${chat.id}`, parentId: `q-${chat.id}`, role: 'assistant', content: '12' },
  ])
  await app.db.insert(messageFiles).values({ messageId: `q-${chat.id}`, fileId: note.id, position: 0 })
  await app.db
    .update(threads)
    .set({ currentLeafId: `a-${chat.id}` })
    .where(eq(threads.id, chat.id))
  await visitor.call(threadsApi.create, { body: { title: 'Другой' } })
  const exported = await visitor.fetch(`/api/projects/${project.id}/export`)
  expect(exported.headers.get('content-type')).toBe('application/zip')
  return { project, chat, archive: Buffer.from(await exported.arrayBuffer()) }
}

const messageOf = (visitor: SignedIn, threadId: string) => ({
  ...{ threadId, userId: visitor.user.id, status: 'complete' as const },
})

test('an exported project comes back whole (S10.897)', async () => {
  const visitor = await app.signIn()
  const { project, chat, archive } = await withProject(visitor)
  // Nothing is new while it is here; what was deleted comes again.
  expect((await bring(visitor, archive)).result).toMatchObject({ added: 0, projects: 0, known: 1 })
  const other = await app.signIn()
  const { result, found } = await bring(other, archive)
  expect(found).toMatchObject({ chats: 1, projects: 1, missingFiles: 0 })
  expect(result).toMatchObject({ added: 1, projects: 1, messages: 3, skipped: 0, partial: 0 })
  const [row] = await other.call(projectsApi.list, {})
  expect(row).toMatchObject({ name: 'Ремонт: кухня', icon: '🔨', chats: 1 })
  const params = { id: row?.id ?? '' }
  const read = () => other.call(projectsApi.get, { params })
  await vi.waitFor(
    async () => expect((await read()).files).toMatchObject([{ name: 'смета.csv', state: 'ready' }]),
    WAIT,
  )
  expect((await read()).instructions).toBe('Цены в рублях')
  const [thread] = await other.call(threadsApi.list, { query: { project: params.id } })
  const { Messages } = await other.call(threadsApi.get, { params: { id: thread?.id ?? '' }, query: {} })
  expect(Messages.map(({ content, siblings, files: own }) => [content, siblings.length, own[0]?.name])).toEqual([
    ['Сколько плитки?', 1, 'замеры.txt'],
    ['10', 2, undefined],
  ])
  await app.db.delete(threads).where(eq(threads.id, chat.id))
  expect((await bring(visitor, archive)).result).toMatchObject({ added: 1, projects: 0 })
  expect(await visitor.call(threadsApi.list, { query: { project: project.id } })).toHaveLength(1)
  await expect(other.call(projectsApi.get, { params: { id: project.id } })).rejects.toMatchObject({ status: 404 })
  expect((await other.fetch(`/api/projects/${project.id}/export`)).status).toBe(404)
  expect((await app.visitor().fetch(`/api/projects/${project.id}/export`)).status).toBe(401)
})

test('a project keeps its country and its other settings (S10.1125)', async () => {
  const visitor = await app.signIn()
  const settings = { country: 'RU', replacesPersonal: true, searchWords: false }
  const project = await visitor.call(projectsApi.create, {
    body: { name: 'Договоры', instructions: 'Только по договору', ...settings },
  })
  await visitor.call(projectsApi.update, { params: { id: project.id }, body: { archived: true } })
  const download = async (path: string) => Buffer.from(await (await visitor.fetch(path)).arrayBuffer())
  const archives = [
    await download(`/api/projects/${project.id}/export`),
    await download(usersApi.export.path.replace(':id', visitor.user.id)),
  ]
  for (const archive of archives) {
    const other = await app.signIn()
    expect((await bring(other, archive)).result).toMatchObject({ projects: 1 })
    const [row] = await other.call(projectsApi.list, {})
    const brought = await other.call(projectsApi.get, { params: { id: row?.id ?? '' } })
    expect(brought).toMatchObject({ name: 'Договоры', archived: true, ...settings })
  }
  // A country that is none binds the project to the home country: its data goes nowhere else.
  const odd = await app.signIn()
  const own = { id: 'p', icon: 'red', name: 'Чужая', instructions: '', country: 'Россия' }
  await bring(odd, Buffer.from(json({ projects: [own], threads: [] })))
  const [row] = await odd.call(projectsApi.list, {})
  expect(await odd.call(projectsApi.get, { params: { id: row?.id ?? '' } })).toMatchObject({ country: 'RU' })
})

const ROUNDS = 5

test('two imports of one archive at once bring it once (S10.899)', async () => {
  const visitor = await app.signIn()
  const archive = zipOf({
    'projects.json': json([claudeProject]),
    'conversations.json': json(Array.from({ length: 120 }, (_, i) => simpleGptChat(`c${i}`))),
  })
  const ids = [await upload(visitor, archive), await upload(visitor, archive)]
  await Promise.all(ids.map((id) => visitor.call(importsApi.start, { params: { id } })))
  await queue().idle()
  const results = await Promise.all(ids.map((id) => settled(visitor, id)))
  expect(results.map(({ status }) => status)).toEqual(['done', 'done'])
  const sum = (name: 'added' | 'known' | 'projects') =>
    results.reduce((all, { result }) => all + (result?.[name] ?? 0), 0)
  expect([sum('added'), sum('known'), sum('projects')]).toEqual([120, 120, 1])
  expect(await app.db.$count(threads, eq(threads.userId, visitor.user.id))).toBe(120)
  expect(await app.db.$count(projects, eq(projects.userId, visitor.user.id))).toBe(1)
})

test('moves and deletions at once leave each chat in one place (S10.873)', async () => {
  const visitor = await app.signIn()
  for (let round = 0; round < ROUNDS; round += 1) {
    const make = (name: string) => visitor.call(projectsApi.create, { body: { name } })
    const [one, other] = [await make('Один'), await make('Другой')]
    const chat = await visitor.call(threadsApi.create, { body: { title: 'Чат' } })
    const move = (projectId: string) =>
      visitor.call(threadsApi.update, { params: { id: chat.id }, body: { projectId } })
    await Promise.allSettled([move(one.id), move(other.id)])
    const counts = async () => (await visitor.call(projectsApi.list, {})).map(({ chats }) => chats)
    expect((await counts()).toSorted()).toEqual([0, 1])
    const begun = Promise.allSettled([
      visitor.call(projectsApi.delete, { params: { id: one.id }, query: { chats: 'keep' } }),
      visitor.call(threadsApi.create, { body: { title: 'Новый', projectId: one.id } }),
      move(one.id),
    ])
    const [deleted, created] = await begun
    expect(deleted.status).toBe('fulfilled')
    // The new chat came before the deletion, or was refused; in no case it names a project that is gone.
    if (created.status === 'rejected') expect(created.reason).toMatchObject({ status: 404 })
    const rows = await visitor.call(threadsApi.list, { query: {} })
    expect(rows.filter(({ projectId }) => projectId === one.id)).toEqual([])
    expect(rows.some(({ id }) => id === chat.id)).toBe(true)
    await visitor.call(projectsApi.delete, { params: { id: other.id }, query: { chats: 'trash' } })
  }
})
