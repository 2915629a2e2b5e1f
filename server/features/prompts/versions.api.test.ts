import { expect, test } from 'vitest'
import { promptsApi, STORED_VERSIONS } from '#contract/prompts.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { writeTexts } from './versions.ts'

const app = await testApp()
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()

const create = (title: string) =>
  anna.call(promptsApi.create, { body: { title, content: 'Первый вид', category: 'Письма' } })
const change = (who: SignedIn, id: string, body: Record<string, unknown>) =>
  who.call(promptsApi.update, { params: { id }, body })
const versions = (who: SignedIn, id: string) => who.call(promptsApi.versions, { params: { id } })
const restore = (who: SignedIn, id: string, version: number | string) =>
  who.call(promptsApi.restore, { params: { id, version: String(version) } })

test('every change of texts stores the old texts, author and time (S10.140)', async () => {
  const { id } = await create('История')
  await change(anna, id, { content: 'Второй вид' })
  await change(owner, id, { category: 'Код', title: 'Другое название' })
  const history = await versions(anna, id)
  expect(
    history.map(({ version, title, content, category, by }) => [version, title, content, category, by?.me]),
  ).toEqual([
    [3, 'Другое название', 'Второй вид', 'Код', false],
    [2, 'История', 'Второй вид', 'Письма', true],
    [1, 'История', 'Первый вид', 'Письма', true],
  ])
  expect(history[0]?.by?.name).toBe('Администратор')
  expect((await versions(owner, id)).map(({ by }) => by)).toEqual([
    { name: owner.user.email, me: true },
    { name: anna.user.email, me: false },
    { name: anna.user.email, me: false },
  ])
  const times = history.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('a change without new texts creates no version', async () => {
  const { id } = await create('Без версий')
  await change(anna, id, { content: 'Первый вид', title: 'Без версий' })
  await change(owner, id, { published: true })
  await anna.call(promptsApi.use, { params: { id }, body: { id: 'a-use-of-it' } })
  expect(await versions(anna, id)).toHaveLength(1)
})

test('a restored version becomes a new version, and nothing is lost (S10.140)', async () => {
  const { id } = await create('Возврат')
  await change(anna, id, { content: 'Второй вид', description: 'Пояснение' })
  expect(await restore(anna, id, 1)).toMatchObject({ version: 3, content: 'Первый вид', description: '' })
  const history = await versions(anna, id)
  expect(history.map(({ version, content }) => [version, content])).toEqual([
    [3, 'Первый вид'],
    [2, 'Второй вид'],
    [1, 'Первый вид'],
  ])
  expect(await restore(anna, id, 1)).toMatchObject({ version: 3 })
})

test('an unknown version or a version of another prompt is a 404', async () => {
  const { id } = await create('Нет такой')
  for (const version of [7, 'first', '-1', '99999999999']) {
    await expect(restore(anna, id, version)).rejects.toMatchObject({ status: 404, message: 'Такой версии нет' })
  }
})

test('other users and readers of a published prompt see no history', async () => {
  const { id } = await create('Чужая история')
  await change(owner, id, { published: true })
  const boris = await app.signIn()
  await expect(versions(boris, id)).rejects.toMatchObject({ status: 404 })
  await expect(restore(boris, id, 1)).rejects.toMatchObject({ status: 404 })
})

test('the author of a published prompt can read its history, not restore', async () => {
  const { id } = await create('Опубликованная история')
  await change(anna, id, { content: 'Второй вид' })
  await change(owner, id, { published: true })
  expect(await versions(anna, id)).toHaveLength(2)
  await expect(restore(anna, id, 1)).rejects.toMatchObject({ status: 403 })
  expect(await restore(owner, id, 1)).toMatchObject({ content: 'Первый вид', published: true })
})

test('a change of an outdated version answers 409', async () => {
  const { id, version } = await create('Вдвоём')
  expect(await change(anna, id, { content: 'Раз', version })).toMatchObject({ version: version + 1 })
  await expect(change(anna, id, { content: 'Два', version })).rejects.toMatchObject({ status: 409 })
  expect((await versions(anna, id))[0]).toMatchObject({ content: 'Раз' })
})

test('only the newest versions are stored', async () => {
  const { id, title, description, category } = await create('Долгая история')
  await app.db.transaction(async (tx) => {
    for (let i = 1; i <= STORED_VERSIONS + 5; i++) {
      await writeTexts(tx, anna.user.id, [{ id, title, description, category, content: `Вид ${i}` }])
    }
  })
  const history = await versions(anna, id)
  expect(history).toHaveLength(STORED_VERSIONS + 1)
  expect(history[0]).toMatchObject({ content: `Вид ${STORED_VERSIONS + 5}` })
})
