import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { promptsApi } from '#contract/prompts.ts'
import { type BulkAction, promptsAdminApi } from '#contract/prompts-admin.ts'
import { prompts } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()

const add = async (who: SignedIn, title: string, category = 'Разное', published = false) =>
  (await who.call(promptsApi.create, { body: { title, content: `Текст: ${title}`, category, published } })).id
const table = (who: SignedIn, query: Parameters<typeof who.call<typeof promptsAdminApi.table>>[1]['query'] = {}) =>
  who.call(promptsAdminApi.table, { query })
const titles = async (who: SignedIn, query = {}) => (await table(who, query)).items.map(({ title }) => title)
const bulk = (who: SignedIn, body: BulkAction) => who.call(promptsAdminApi.bulk, { body })
const move = (who: SignedIn, id: string, anchorId: string, side: 'before' | 'after') =>
  who.call(promptsAdminApi.move, { params: { id }, body: { anchorId, side } })

describe('the table', () => {
  test('has all prompts with owners for admins, own prompts for users (S10.142)', async () => {
    const mine = await add(anna, 'Личный Анны')
    const common = await add(owner, 'Общий', 'Разное', true)
    const all = await table(owner, { size: 200 })
    expect(all.items.find(({ id }) => id === mine)).toMatchObject({ owner: anna.user.email, canEdit: true, own: false })
    expect(all.items.map(({ id }) => id)).toContain(common)
    const own = await table(anna)
    expect(own.items.map(({ id }) => id)).toEqual([mine])
    expect(own.total).toBe(1)
    expect((await app.visitor().fetch('/api/prompts/table')).status).toBe(401)
  })

  test('is paged, sorted, filtered and searched on the server (S10.142)', async () => {
    const vera = await app.signIn()
    for (const [title, category] of [
      ['Бета', 'К1'],
      ['Альфа', 'К2'],
      ['Гамма', 'К1'],
    ] as const) {
      await add(vera, title, category)
    }
    expect(await titles(vera, { sort: 'title' })).toEqual(['Альфа', 'Бета', 'Гамма'])
    expect(await titles(vera, { sort: '-title', size: 2 })).toEqual(['Гамма', 'Бета'])
    expect(await titles(vera, { sort: '-title', size: 2, page: 2 })).toEqual(['Альфа'])
    expect(await titles(vera)).toEqual(['Гамма', 'Бета', 'Альфа'])
    expect(await titles(vera, { category: 'К1', sort: 'title' })).toEqual(['Бета', 'Гамма'])
    expect(await titles(vera, { query: 'гамму' })).toEqual(['Гамма'])
    expect(await table(vera, { size: 1 })).toMatchObject({ total: 3 })
    expect(await titles(vera, { state: 'published' })).toEqual([])
    await expect(table(vera, { sort: 'shareId' })).rejects.toMatchObject({ status: 400, field: 'sort' })
  })
})

describe('many at once', () => {
  test('are published and unpublished by an admin; unchanged prompts are not counted', async () => {
    const ids = [await add(anna, 'П1'), await add(anna, 'П2'), await add(owner, 'П3', 'Разное', true)]
    const done = await bulk(owner, { action: 'publish', ids })
    expect(done.changed.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted())
    const boris = await app.signIn()
    const seen = await boris.call(promptsApi.list, { query: { limit: 200 } })
    expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    await bulk(owner, { action: 'unpublish', ids })
    expect(await boris.call(promptsApi.list, { query: { view: 'published', query: 'П1' } })).toEqual([])
  })

  test('a user may not publish, and does nothing to prompts of others', async () => {
    const mine = await add(anna, 'Мой для набора')
    const theirs = await add(owner, 'Не мой', 'Разное', true)
    await expect(bulk(anna, { action: 'publish', ids: [mine] })).rejects.toMatchObject({ status: 403 })
    await expect(bulk(anna, { action: 'delete', ids: [theirs] })).rejects.toMatchObject({ status: 404 })
    const both = await bulk(anna, { action: 'delete', ids: [mine, theirs] })
    expect(both.changed.map(({ id }) => id)).toEqual([mine])
    expect(await owner.call(promptsApi.get, { params: { id: theirs }, query: {} })).toMatchObject({ deletedAt: null })
  })

  test('change their category with versions, and can be undone (S10.142)', async () => {
    const [one, two] = [await add(anna, 'К один', 'Старая'), await add(anna, 'К два', 'Другая')]
    const done = await bulk(anna, { action: 'categorise', ids: [one, two], category: ' Новая ' })
    expect(new Map(done.changed.map(({ id, category }) => [id, category]))).toEqual(
      new Map([
        [one, 'Старая'],
        [two, 'Другая'],
      ]),
    )
    const history = await anna.call(promptsApi.versions, { params: { id: one } })
    expect(history.map(({ category }) => category)).toEqual(['Новая', 'Старая'])
    expect((await bulk(anna, { action: 'categorise', ids: [one], category: 'Новая' })).changed).toEqual([])
  })

  test('are all refused to a user when any of them is published', async () => {
    const [free, fixed] = [await add(anna, 'Свободный'), await add(anna, 'Опубликованный')]
    await bulk(owner, { action: 'publish', ids: [fixed] })
    const tried = bulk(anna, { action: 'categorise', ids: [free, fixed], category: 'Иная' })
    await expect(tried).rejects.toMatchObject({ status: 403 })
    expect(await anna.call(promptsApi.get, { params: { id: free }, query: {} })).toMatchObject({ category: 'Разное' })
  })

  test('are moved to the trash and restored', async () => {
    const vera = await app.signIn()
    const ids = [await add(vera, 'Т1'), await add(vera, 'Т2')]
    await bulk(vera, { action: 'delete', ids })
    expect(await table(vera)).toMatchObject({ total: 0 })
    expect(await titles(vera, { state: 'trash', sort: 'title' })).toEqual(['Т1', 'Т2'])
    expect((await bulk(vera, { action: 'restore', ids })).changed).toHaveLength(2)
    expect(await table(vera)).toMatchObject({ total: 2 })
  })

  test('more than 500 or zero are a 400', async () => {
    const tooMany = Array.from({ length: 501 }, (_, i) => `id-${i}`)
    await expect(bulk(anna, { action: 'delete', ids: tooMany })).rejects.toMatchObject({ status: 400, field: 'ids' })
    await expect(bulk(anna, { action: 'delete', ids: [] })).rejects.toMatchObject({ status: 400, field: 'ids' })
  })
})

describe('the order within a category', () => {
  test('is changed by putting a prompt before or after another (S10.142)', async () => {
    const vera = await app.signIn()
    const [a, b, c] = [
      await add(vera, 'А', 'Порядок'),
      await add(vera, 'Б', 'Порядок'),
      await add(vera, 'В', 'Порядок'),
    ]
    const order = async () => (await titles(vera, { category: 'Порядок' })).join('')
    expect(await order()).toBe('ВБА')
    await move(vera, a, c, 'before')
    expect(await order()).toBe('АВБ')
    await move(vera, a, b, 'after')
    expect(await order()).toBe('ВБА')
    await move(vera, c, b, 'after')
    expect(await order()).toBe('БВА')
    const seen = await vera.call(promptsApi.list, { query: { view: 'own', sort: 'order' } })
    expect(seen.map(({ title }) => title).join('')).toBe('БВА')
    await add(vera, 'Новый', 'Порядок')
    expect(await order()).toBe('НовыйБВА')
  })

  test('an anchor in another category, itself or another user’s is refused', async () => {
    const here = await add(anna, 'Здесь', 'Тут')
    const there = await add(anna, 'Там', 'Там')
    const theirs = await add(owner, 'Чужой тут', 'Тут', true)
    for (const anchor of [there, here, theirs, 'no-such-id']) {
      await expect(move(anna, here, anchor, 'after')).rejects.toMatchObject({ status: 400, field: 'anchorId' })
    }
    await expect(move(anna, theirs, here, 'after')).rejects.toMatchObject({ status: 404 })
  })

  test('of published prompts is changed only by admins', async () => {
    const [x, y, z] = [await add(anna, 'X', 'Смесь'), await add(anna, 'Y', 'Смесь'), await add(anna, 'Z', 'Смесь')]
    await bulk(owner, { action: 'publish', ids: [y] })
    await app.db.update(prompts).set({ position: 17 }).where(eq(prompts.id, y))
    await expect(move(anna, y, x, 'before')).rejects.toMatchObject({ status: 403 })
    await move(anna, x, z, 'before')
    const rows = await app.db.select().from(prompts).where(eq(prompts.category, 'Смесь'))
    expect(Object.fromEntries(rows.map(({ title, position }) => [title, position]))).toEqual({ X: 1, Y: 17, Z: 2 })
    await move(owner, y, z, 'before')
    expect(await titles(owner, { category: 'Смесь' })).toEqual(['X', 'Y', 'Z'])
  })
})
