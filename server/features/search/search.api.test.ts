import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import { type SearchMatch, type ThreadRow, threadsApi } from '#contract/threads.ts'
import { messages, threads } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { newestThreads } from './search.ts'
import { searchVector } from './text-query.ts'

const app = await testApp()
const anna = await app.signIn()

type View = 'active' | 'archived' | 'trash'
const search = (query: string, who = anna, view: View = 'active') =>
  who.call(threadsApi.list, { query: { query, view } })
const titles = async (query: string, who = anna, view: View = 'active') =>
  (await search(query, who, view)).map(({ title }) => title)

async function wrote(who: SignedIn, title: string, text: string, values: Parameters<typeof aThread>[2] = {}) {
  const thread = await aThread(app.db, who.user.id, { title, ...values })
  return { thread, message: await say(thread, text) }
}

async function say(thread: { id: string; userId: string }, content: string) {
  const message = await aMessage(app.db, thread, { content })
  await app.db
    .update(messages)
    .set({ search: searchVector(content) })
    .where(eq(messages.id, message.id))
  return message
}

const textOf = (found: SearchMatch | undefined) => found?.fragment.map(({ text }) => text).join('')
const hitsIn = (found: SearchMatch | undefined) => found?.fragment.filter(({ hit }) => hit).map(({ text }) => text)

describe('the search', () => {
  beforeAll(async () => {
    await wrote(anna, 'Квартира', 'Мы приехали с договором аренды и ключами.')
    await wrote(anna, 'Ёлка', 'Где купить живую ёлку, чтобы она не осыпалась?')
    await wrote(anna, 'Отчёт за март', 'Сведи расчеты в одну таблицу.')
    await wrote(
      anna,
      'Файлы проекта',
      'Открой docs/plan.txt и server/config.ts, там про COVID-19 и Map<string, number>.',
    )
    await wrote(anna, 'Страница', 'На странице нет ссылок, а настроек слишком много.')
    await wrote(anna, 'Питон', 'How do I install packages with Python on Windows?')
  })

  test.each([
    ['договоры', 'Квартира'],
    ['ДОГОВОРУ', 'Квартира'],
    ['догов', 'Квартира'],
    ['аренда договора', 'Квартира'],
    ['елку', 'Ёлка'],
    ['ёлки', 'Ёлка'],
    ['расчёт', 'Отчёт за март'],
    ['отчетов', 'Отчёт за март'],
    ['plan', 'Файлы проекта'],
    ['config', 'Файлы проекта'],
    ['19', 'Файлы проекта'],
    ['covid-19', 'Файлы проекта'],
    ['number', 'Файлы проекта'],
    ['ссылка', 'Страница'],
    ['настройка', 'Страница'],
    ['installing package', 'Питон'],
  ])('«%s» finds «%s» (S10.104)', async (query, title) => {
    expect(await titles(query)).toEqual([title])
  })

  test('only the last word is matched as a prefix', async () => {
    const [last] = await search('аренда дого')
    expect(hitsIn(last?.found)).toEqual(['договором', 'аренды'])
    const [first] = await search('дого аренда')
    expect(hitsIn(first?.found)).toEqual(['аренды'])
  })

  test.each([
    ['дагавор', 'Квартира'],
    ['догвоор аренды', 'Квартира'],
    ['таблтца', 'Отчёт за март'],
    ['отчот', 'Отчёт за март'],
    ['pyhton', 'Питон'],
  ])('a typo does not matter: «%s» finds «%s»', async (query, title) => {
    expect(await titles(query)).toEqual([title])
  })

  test('a wrong keyboard layout does not matter', async () => {
    expect(await titles('ljujdjh')).toEqual(['Квартира'])
    expect(await titles('знерщт')).toEqual(['Питон'])
  })

  test('words that were never written are not found', async () => {
    expect(await search('бегемот')).toEqual([])
    expect(await search('договор бегемота')).toHaveLength(1)
  })
})

test('partial matches are found only when no thread has all words', async () => {
  const boris = await app.signIn()
  await wrote(boris, 'Оба слова', 'Суп из тыквы')
  await wrote(boris, 'Только суп', 'Рыбный суп')
  await wrote(boris, 'Только тыква', 'Тыква на зиму')
  expect(await titles('суп тыква', boris)).toEqual(['Оба слова'])
  expect((await titles('рыбный тыква', boris)).sort()).toEqual(['Оба слова', 'Только суп', 'Только тыква'])
})

test('titles, whole words and newer threads come first', async () => {
  const boris = await app.signIn()
  const day = (no: number) => new Date(Date.UTC(2026, 0, no))
  await wrote(boris, 'Старое', 'Нужен план работ', { updatedAt: day(1) })
  await wrote(boris, 'Новое', 'Нужен план работ', { updatedAt: day(2) })
  await wrote(boris, 'Планета', 'О звёздах', { updatedAt: day(4) })
  await wrote(boris, 'Мой план', 'Совсем о другом', { updatedAt: day(0) })
  await wrote(boris, 'Про планшет', 'Какой планшет купить', { updatedAt: day(3) })
  expect(await titles('план', boris)).toEqual(['Мой план', 'Новое', 'Старое', 'Планета', 'Про планшет'])
})

test('a thread is a single row with its best matching message', async () => {
  const boris = await app.signIn()
  const { thread, message } = await wrote(boris, 'Кухня', 'Один раз про рецепт')
  const best = await say(thread, 'Рецепт, рецепты, рецептов, рецептами: сплошной рецепт')
  const rows = await search('рецепт', boris)
  expect(rows.map(({ found }) => found?.messageId)).toEqual([best.id])
  expect(best.id).not.toBe(message.id)
  const [titled] = await search('кухню', boris)
  expect(titled?.found).toEqual({ messageId: null, fragment: [{ text: 'Кухня', hit: true }] })
})

test('a very common word finds the newest hundred threads, with best messages (S10.565)', async () => {
  const [boris, vera] = [await app.signIn(), await app.signIn()]
  const write = async (who: SignedIn, name: string, count: number) => {
    const text = sql`'отчет ' || case when m = 18 then 'отчеты, отчет и отчет' else repeat('другое слово ', 9) end`
    await app.db.execute(sql`
      insert into threads (id, user_id, title, created_at, updated_at)
      select ${name} || t, ${who.user.id}, 'Чат ' || t, now(), now() - t * interval '1 day' from generate_series(1, ${count}::int) t`)
    await app.db.execute(sql`
      insert into messages (id, thread_id, user_id, role, content, status, search, created_at)
      select ${name} || t || '-' || m, ${name} || t, ${who.user.id}, 'user', ${text}, 'complete', to_tsvector('russian', ${text}),
        now() - t * interval '1 day' - m * interval '1 minute'
      from generate_series(1, ${count}::int) t, generate_series(17, 36) m`)
  }
  await write(boris, 'b', 60)
  await write(vera, 'v', 60)
  const found = await boris.call(threadsApi.list, { query: { query: 'отчёт', limit: 100 } })
  expect(found.map(({ title }) => title)).toEqual(Array.from({ length: 60 }, (_, i) => `Чат ${i + 1}`))
  expect(found.map(({ found: match }) => match?.messageId)).toEqual(found.map(({ id }) => `${id}-18`))
})

test('messages and titles of other users are never found', async () => {
  const [boris, vera] = [await app.signIn(), await app.signIn()]
  await wrote(boris, 'Тайна Бориса', 'Секретный бриллиант зарыт в саду')
  await wrote(vera, 'Мечты', 'Хочу бриллиант')
  for (const query of ['бриллиант', 'секретный', 'тайна', 'тойна', 'тайн бриллиант']) {
    expect(await titles(query, vera)).not.toContain('Тайна Бориса')
  }
  expect(await titles('бриллиант', vera)).toEqual(['Мечты'])
})

test('the archive is searched with the rest, the trash only by itself', async () => {
  const boris = await app.signIn()
  await wrote(boris, 'На виду', 'Про жирафов')
  await wrote(boris, 'В архиве', 'Про жирафов', { archived: true })
  await wrote(boris, 'В корзине', 'Про жирафов', { deletedAt: new Date() })
  await aThread(app.db, boris.user.id, { title: 'Жирафы в корзине', deletedAt: new Date() })
  expect((await titles('жираф', boris)).sort()).toEqual(['В архиве', 'На виду'])
  expect(await titles('жираф', boris, 'archived')).toEqual(['В архиве'])
  expect((await titles('жираф', boris, 'trash')).sort()).toEqual(['В корзине', 'Жирафы в корзине'])
})

describe('the fragment', () => {
  test('shows and marks the words as they were written, «ё» included', async () => {
    const boris = await app.signIn()
    const text = 'Ёжик шёл по лесу. Ещё раз: ёжик нёс ёлку, а ЁЖИКИ спали, и трёхлетний ёж всё видел.'
    await wrote(boris, 'Сказка', text)
    const [row] = await search('ежика', boris)
    expect(textOf(row?.found)).toBe(text)
    expect(hitsIn(row?.found)).toEqual(['Ёжик', 'ёжик', 'ЁЖИКИ'])
  })

  test('is short, around the match, and cut between words', async () => {
    const boris = await app.signIn()
    const { message } = await wrote(
      boris,
      'Длинный',
      `${'Вода и песок. '.repeat(300)}Маяк **светит** ночью. ${'Песок и вода. '.repeat(300)}`,
    )
    const [row] = await search('маяки светят', boris)
    const shown = textOf(row?.found) ?? ''
    expect(row?.found?.messageId).toBe(message.id)
    expect(hitsIn(row?.found)).toEqual(['Маяк', 'светит'])
    expect(shown).toMatch(/^…(?:Вода|и|песок\.) /)
    expect(shown).toMatch(/ (?:Песок|и|вода\.) ?…$/)
    expect(shown.length).toBeLessThan(180)
    expect(shown).not.toContain('*')
  })

  test('takes the place with the most words', async () => {
    const boris = await app.signIn()
    await wrote(
      boris,
      'Два места',
      `Билет на поезд. ${'Пустые слова идут и идут. '.repeat(20)}Купить дешёвый билет в театр.`,
    )
    const [row] = await search('билет театр', boris)
    expect(hitsIn(row?.found)).toEqual(['билет', 'театр'])
  })

  test('of a text without spaces is cut without breaking a character', async () => {
    const boris = await app.signIn()
    await wrote(boris, 'Смайлы', `${'😀'.repeat(200)} кактус ${'😀'.repeat(200)}`)
    const [row] = await search('кактус', boris)
    expect(hitsIn(row?.found)).toEqual(['кактус'])
    expect(textOf(row?.found)).not.toMatch(/\p{Cs}/u)
  })
})

test('a title with punctuation is found by its characters and marked', async () => {
  const boris = await app.signIn()
  await wrote(boris, 'Выучить C++ 🎉 за месяц', 'Поехали')
  const foundBy = async (query: string) => (await search(query, boris))[0]?.found
  expect(hitsIn(await foundBy('🎉'))).toEqual(['🎉'])
  expect(hitsIn(await foundBy('c++'))).toEqual(['C'])
  expect(hitsIn(await foundBy('за'))).toEqual(['за'])
})

test('pages have no repeats or gaps, and an invalid cursor is refused', async () => {
  const boris = await app.signIn()
  for (let no = 1; no <= 7; no++) await wrote(boris, `Чат ${no}`, no > 3 ? 'апельсин и груша' : 'апельсин')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const address = `/api/threads?query=${encodeURIComponent('апельсины')}&limit=3${cursor && `&cursor=${cursor}`}`
    const response = await boris.fetch(address)
    const rows = (await response.json()) as ThreadRow[]
    expect(rows.length).toBeLessThanOrEqual(3)
    seen.push(...rows.map(({ title }) => title))
    cursor = response.headers.get(NEXT_CURSOR)
  }
  expect(seen.sort()).toEqual([1, 2, 3, 4, 5, 6, 7].map((no) => `Чат ${no}`))
  for (const wrong of ['abc', 'WyJldmVyeSIsLTFd', 'WyJvdGhlciIsMF0']) {
    expect((await boris.fetch(`/api/threads?query=a&cursor=${wrong}`)).status).toBe(400)
  }
})

test.each([
  ...[
    "'",
    "''",
    '"',
    '&',
    '|',
    '!',
    ':*',
    '\\',
    '\\\\',
    '%',
    '_',
    '$1',
    ';',
    '--',
    '/*',
    '<->',
    '<1>',
    '()',
    '((',
    '!!!',
  ],
  ...['договор:*', "'договор' & !аренда", 'a & | b', 'договор <-> аренда', 'договор\\', "x'; drop table threads; --"],
  ...[
    '🎉',
    '👨‍👩‍👧‍👦',
    '\ud83d',
    'е\u0308',
    '١٢٣',
    '½²',
    '漢字',
    'ﬁ',
    'İ',
    'ß',
    '\u202e',
    '\u00a0',
    '…',
    '«»',
    '[е-ё]',
    '(?<!',
  ],
  ...[
    'я'.repeat(200),
    'a'.repeat(200),
    '1'.repeat(200),
    'а б '.repeat(50),
    '👍'.repeat(100),
    'договор contract 42',
    '3.14',
    '1e5',
    '-5',
  ],
  ...['и', 'и в на', 'the', 'как', 'null', 'undefined', 'true', '__proto__', 'constructor'],
])('a query of «%s» is answered', async (query) => {
  const response = await anna.fetch(
    `/api/threads?query=${encodeURIComponent(query.toString().replace(/\p{Cs}/u, '?'))}`,
  )
  expect(response.status).toBe(200)
  expect(Array.isArray(await response.json())).toBe(true)
})

test('a search reads the newest hundred of each list only (S10.896)', async () => {
  const many = await app.signIn()
  const id = (i: number) => `${many.user.id}-${String(i).padStart(4, '0')}`
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 60_000)
  await app.db.insert(threads).values(
    Array.from({ length: 360 }, (_, i) => ({
      ...{ id: id(i), userId: many.user.id, title: `Чат ${i}`, updatedAt: at(i) },
      ...{ pinned: i % 3 === 0, archived: i % 3 === 1, deletedAt: i > 350 ? at(i) : null },
    })),
  )
  const own = { userId: many.user.id, project: undefined }
  const newest = await newestThreads(app.db, { ...own, view: 'active' })
  expect(newest).toEqual(Array.from({ length: 100 }, (_, i) => id(350 - i)))
  expect(await newestThreads(app.db, { ...own, view: 'trash' })).toHaveLength(9)
  // An old one is found all the same, by the indexes of words and of titles.
  await say({ id: id(2), userId: many.user.id }, 'Где квитанция?')
  expect((await search('квитанции', many)).map((row) => row.id)).toEqual([id(2)])
  expect((await search('Чат 4', many)).map((row) => row.id)).toContain(id(4))
})
