import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { callPage } from '#contract/call.ts'
import { type PromptDraft, promptsApi } from '#contract/prompts.ts'
import { promptGuests, prompts } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { emptyTrash } from './prompts.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()
const boris = await app.signIn()

let made = 0
const draft = (more: Partial<PromptDraft> = {}) => ({
  title: `Промпт ${++made}`,
  content: 'Напиши о {{теме}}',
  ...more,
})
const create = (who: SignedIn, more: Partial<PromptDraft> = {}) => who.call(promptsApi.create, { body: draft(more) })
const read = (who: SignedIn, id: string, share?: string) =>
  who.call(promptsApi.get, { params: { id }, query: share ? { share } : {} })
const change = (who: SignedIn, id: string, body: Parameters<typeof who.call<typeof promptsApi.update>>[1]['body']) =>
  who.call(promptsApi.update, { params: { id }, body })
const list = (who: SignedIn, query: Parameters<typeof who.call<typeof promptsApi.list>>[1]['query'] = {}) =>
  who.call(promptsApi.list, { query: { limit: 200, ...query } })
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const gone = { status: 404, message: 'Такого промпта нет' }

test('a prompt is stored with its fields, and missing fields get defaults', async () => {
  const prompt = await create(anna, { title: '  Письмо\nклиенту ', content: 'Раз\r\nдва', description: ' Кратко ' })
  expect(prompt).toMatchObject({
    title: 'Письмо клиенту',
    content: 'Раз\nдва',
    description: 'Кратко',
    category: 'Разное',
    published: false,
    own: true,
    canEdit: true,
    favourite: false,
    uses: 0,
    version: 1,
    shareId: null,
    deletedAt: null,
  })
  expect(await read(anna, prompt.id)).toEqual(prompt)
})

test('an invalid body is a 400 that names the field', async () => {
  for (const [body, field] of [
    [{ content: 'x' }, 'title'],
    [{ title: ' ', content: 'x' }, 'title'],
    [{ title: 'x', content: ' \n ' }, 'content'],
    [{ title: 'x'.repeat(121), content: 'x' }, 'title'],
    [{ title: 'x', content: 'x', category: 'x'.repeat(61) }, 'category'],
    [{ title: 'x', content: 'x', published: 'да' }, 'published'],
    [{ title: 'x', content: 'x', colour: 'red' }, 'colour'],
  ] as const) {
    const answer = await anna.post('/api/prompts', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ field })
  }
})

test("every call on another user's unpublished prompt answers 404 (S10.132)", async () => {
  const { id } = await create(anna)
  const params = { id }
  for (const attempt of [
    () => read(boris, id),
    () => read(boris, id, 'a-guessed-link'),
    () => change(boris, id, { title: 'Моё' }),
    () => boris.call(promptsApi.delete, { params }),
    () => boris.call(promptsApi.duplicate, { params }),
    () => boris.call(promptsApi.favourite, { params, body: { favourite: true } }),
    () => boris.call(promptsApi.use, { params, body: { id: 'use-of-a-stranger' } }),
    () => boris.call(promptsApi.share, { params }),
    () => boris.call(promptsApi.unshare, { params }),
    () => boris.call(promptsApi.versions, { params }),
    () => boris.call(promptsApi.restore, { params: { id, version: '1' } }),
  ]) {
    await expect(attempt()).rejects.toMatchObject(gone)
  }
  expect(ids(await list(boris))).not.toContain(id)
  expect(await read(anna, id)).toMatchObject({ version: 1, uses: 0, shareId: null })
})

describe('publishing', () => {
  test('is for administrators only: a user gets an error with a message (S10.132)', async () => {
    const refused = { status: 403, message: 'Публиковать промпты может только администратор.' }
    await expect(create(anna, { published: true })).rejects.toMatchObject(refused)
    const { id } = await create(anna)
    await expect(change(anna, id, { published: true })).rejects.toMatchObject(refused)
    expect(await change(owner, id, { published: true })).toMatchObject({ published: true, own: false, canEdit: true })
  })

  test('shows a prompt to all users, without the right to change it', async () => {
    const { id } = await create(owner, { published: true })
    const seen = await read(boris, id)
    expect(seen).toMatchObject({ published: true, own: false, canEdit: false, shareId: null })
    expect(ids(await list(boris, { view: 'published' }))).toContain(id)
    await expect(change(boris, id, { title: 'Моё' })).rejects.toMatchObject(gone)
    await expect(boris.call(promptsApi.delete, { params: { id } })).rejects.toMatchObject(gone)
  })

  test('locks the text for its author, who may unpublish it first', async () => {
    const { id } = await create(anna)
    await change(owner, id, { published: true })
    const refused = { status: 403, message: expect.stringContaining('меняет администратор') }
    await expect(change(anna, id, { content: 'Другое' })).rejects.toMatchObject(refused)
    expect(await read(anna, id)).toMatchObject({ own: true, canEdit: false })
    expect(await change(anna, id, { published: true })).toMatchObject({ published: true })
    expect(await change(anna, id, { published: false, content: 'Другое' })).toMatchObject({
      published: false,
      content: 'Другое',
      canEdit: true,
    })
    await expect(read(boris, id)).rejects.toMatchObject(gone)
  })

  test('an impersonated session has no more rights than the user', async () => {
    const { id } = await create(boris)
    const eyes = await app.signIn('owner@example.test')
    await eyes.post('/api/auth/admin/impersonate-user', { userId: anna.user.id })
    await expect(read(eyes, id)).rejects.toMatchObject(gone)
  })
})

test('the list has own and published prompts, newest first, 50 per page', async () => {
  const vera = await app.signIn()
  const made: string[] = []
  for (let i = 0; i < 53; i++) made.push((await create(vera, { category: `К${i % 3}` })).id)
  const first = await callPage(promptsApi.list, { query: { view: 'own' } }, vera.fetch)
  expect(first.items).toHaveLength(50)
  const rest = await callPage(promptsApi.list, { query: { view: 'own', cursor: first.nextCursor ?? '' } }, vera.fetch)
  expect(rest.nextCursor).toBeNull()
  expect(ids([...first.items, ...rest.items])).toEqual(made.toReversed())
})

test('each sort order has stable pages, also for equal counts and positions', async () => {
  const vera = await app.signIn()
  for (let i = 0; i < 9; i++) await create(vera, { category: `К${i % 2}` })
  const all = ids(await list(vera, { view: 'own' }))
  for (const [i, id] of all.entries()) {
    if (i % 3 > 0) await vera.call(promptsApi.use, { params: { id }, body: { id: `use-number-${i}` } })
  }
  for (const sort of ['new', 'uses', 'order'] as const) {
    const whole = await list(vera, { view: 'own', sort })
    const walked: string[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const query = { view: 'own', sort, limit: 2, ...(cursor && { cursor }) } as const
      const page = await callPage(promptsApi.list, { query }, vera.fetch)
      walked.push(...ids(page.items))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(ids(whole))
    expect(new Set(walked)).toEqual(new Set(all))
  }
  const uses = (await list(vera, { view: 'own', sort: 'uses' })).map((prompt) => prompt.uses)
  expect(uses).toEqual(uses.toSorted((a, b) => b - a))
  const categories = (await list(vera, { view: 'own', sort: 'order' })).map(({ category }) => category)
  expect(categories).toEqual(categories.toSorted())
})

test('an invalid cursor is a 400', async () => {
  for (const cursor of ['x', 'WyJ4IiwgMV0', Buffer.from('[9999999999,"abc"]').toString('base64url')]) {
    await expect(list(anna, { sort: 'uses', cursor })).rejects.toMatchObject({ status: 400, field: 'cursor' })
  }
})

test('categories count only visible prompts', async () => {
  const vera = await app.signIn()
  await create(vera, { category: 'Только моя' })
  await create(vera, { category: 'Только моя' })
  await create(owner, { category: 'Общая', published: true })
  const of = (who: SignedIn, view: 'all' | 'own' = 'all') => who.call(promptsApi.categories, { query: { view } })
  expect(await of(vera, 'own')).toEqual([{ category: 'Только моя', count: 2 }])
  const seenByBoris = (await of(boris)).map(({ category }) => category)
  expect(seenByBoris).toContain('Общая')
  expect(seenByBoris).not.toContain('Только моя')
  expect(await list(vera, { category: 'Только моя' })).toHaveLength(2)
})

test('a favourite is set per user (S10.137)', async () => {
  const { id } = await create(owner, { published: true })
  const mark = (favourite: boolean) => anna.call(promptsApi.favourite, { params: { id }, body: { favourite } })
  expect(await mark(true)).toMatchObject({ id, favourite: true })
  expect(await mark(true)).toMatchObject({ favourite: true })
  expect(ids(await list(anna, { view: 'favourites' }))).toEqual([id])
  expect(await read(boris, id)).toMatchObject({ favourite: false })
  await mark(false)
  expect(await list(anna, { view: 'favourites' })).toEqual([])
})

test('a use counts once, however often the request is repeated (S10.137)', async () => {
  const { id } = await create(owner, { published: true })
  const use = (who: SignedIn, useId: string) => who.call(promptsApi.use, { params: { id }, body: { id: useId } })
  const answers = await Promise.all(Array.from({ length: 5 }, () => use(anna, 'the-same-use')))
  expect(Math.max(...answers.map(({ uses }) => uses))).toBe(1)
  await use(anna, 'another-use')
  await use(boris, 'the-same-use')
  expect(await read(anna, id)).toMatchObject({ uses: 3, version: 1 })
  expect((await anna.post(`/api/prompts/${id}/use`, { id: 'x' })).status).toBe(400)
})

test('a copy is owned by the user, unpublished and independent', async () => {
  const original = await create(owner, { published: true, category: 'Письма', description: 'О чём' })
  const copy = await anna.call(promptsApi.duplicate, { params: { id: original.id } })
  expect(copy).toMatchObject({
    title: original.title,
    content: original.content,
    description: 'О чём',
    category: 'Письма',
    own: true,
    published: false,
    uses: 0,
  })
  await change(anna, copy.id, { content: 'Моё' })
  expect(await read(owner, original.id)).toMatchObject({ content: original.content })
  const again = await anna.call(promptsApi.duplicate, { params: { id: copy.id } })
  expect(again.title).toBe(`${copy.title} (копия)`)
})

describe('a link', () => {
  test('lets any signed-in user read and copy, until it is revoked (S10.132)', async () => {
    const { id } = await create(anna)
    const shared = await anna.call(promptsApi.share, { params: { id } })
    expect(await anna.call(promptsApi.share, { params: { id } })).toMatchObject({ shareId: shared.shareId })
    const link = shared.shareId ?? ''
    expect(link.length).toBeGreaterThanOrEqual(24)
    await expect(read(boris, id)).rejects.toMatchObject(gone)
    // A GET of the link must not add the prompt to the library: an image could cause it.
    expect(await read(boris, id, link)).toMatchObject({
      id,
      own: false,
      canEdit: false,
      shareId: null,
      inLibrary: false,
    })
    expect(ids(await list(boris))).not.toContain(id)
    await expect(read(boris, id)).rejects.toMatchObject(gone)
    const keep = (share: string) => boris.call(promptsApi.keep, { params: { id }, body: { share } })
    await expect(keep('no-such-link')).rejects.toMatchObject(gone)
    expect(await keep(link)).toMatchObject({ id, inLibrary: true })
    expect(await read(boris, id, link)).toMatchObject({ id, inLibrary: true })
    expect(ids(await list(boris, { view: 'shared' }))).toEqual([id])
    expect(ids(await list(boris))).toContain(id)
    expect((await boris.call(promptsApi.duplicate, { params: { id } })).own).toBe(true)
    await anna.call(promptsApi.unshare, { params: { id } })
    await expect(read(boris, id)).rejects.toMatchObject(gone)
    await expect(read(boris, id, link)).rejects.toMatchObject(gone)
    expect(await list(boris, { view: 'shared' })).toEqual([])
    const other = await anna.call(promptsApi.share, { params: { id } })
    expect(other.shareId).not.toBe(link)
    await expect(read(boris, id)).rejects.toMatchObject(gone)
  })

  test('needs a session, and does not list the owner as a guest', async () => {
    const { id } = await create(anna)
    const { shareId } = await anna.call(promptsApi.share, { params: { id } })
    expect((await app.visitor().fetch(`/api/prompts/${id}?share=${shareId}`)).status).toBe(401)
    expect(await anna.call(promptsApi.keep, { params: { id }, body: { share: shareId ?? '' } })).toMatchObject({
      own: true,
    })
    expect(await app.db.$count(promptGuests, eq(promptGuests.promptId, id))).toBe(0)
  })
})

describe('a deleted prompt', () => {
  test('is gone for all users and can be restored', async () => {
    const { id } = await create(anna)
    expect(await anna.call(promptsApi.delete, { params: { id } })).toMatchObject({ deletedAt: expect.any(String) })
    await expect(read(anna, id)).rejects.toMatchObject(gone)
    await expect(change(anna, id, { title: 'Ещё' })).rejects.toMatchObject(gone)
    await expect(anna.call(promptsApi.delete, { params: { id } })).rejects.toMatchObject(gone)
    await expect(change(boris, id, { deleted: false })).rejects.toMatchObject(gone)
    expect(ids(await list(anna))).not.toContain(id)
    expect(await change(anna, id, { deleted: false })).toMatchObject({ id, deletedAt: null })
    expect(await read(anna, id)).toMatchObject({ id })
  })

  test('is purged after thirty days', async () => {
    const [young, old] = [await create(anna), await create(anna)]
    for (const { id } of [young, old]) await anna.call(promptsApi.delete, { params: { id } })
    const longAgo = new Date(Date.now() - 30 * 86_400_000 - 1000)
    await app.db.update(prompts).set({ deletedAt: longAgo }).where(eq(prompts.id, old.id))
    await emptyTrash(app.db)
    expect(await change(anna, young.id, { deleted: false })).toMatchObject({ id: young.id })
    await expect(change(anna, old.id, { deleted: false })).rejects.toMatchObject(gone)
  })
})
