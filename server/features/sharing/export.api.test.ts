import { eq } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ThreadWithMessages } from '#contract/threads.ts'
import { files, messageFiles, messages, models, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'
import { pagesOf } from './exported.ts'

const app = await testApp()
const anna = await app.signIn()

const fetchFile = (id: string, format: string, who = anna) => who.fetch(`/api/threads/${id}/export?format=${format}`)

async function aTalk(question: string, answerText: string, title = 'Договор аренды') {
  const [model] = await app.db.select({ id: models.id, name: models.name }).from(models).limit(1)
  const thread = await aThread(app.db, anna.user.id, { title, createdAt: new Date('2026-03-05T22:30:00Z') })
  const questionMessage = await aMessage(app.db, thread, { content: question })
  const answer = await aMessage(app.db, thread, {
    content: answerText,
    role: 'assistant',
    parentId: questionMessage.id,
    modelId: model?.id,
  })
  await app.db.update(threads).set({ currentLeafId: answer.id }).where(eq(threads.id, thread.id))
  return { id: thread.id, questionMessage, answer, speaker: model?.name ?? '' }
}

async function documentOf(id: string) {
  const response = await fetchFile(id, 'docx')
  expect(response.status).toBe(200)
  const parts = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const part = (path: string) => strFromU8(parts[path] ?? new Uint8Array())
  return { document: part('word/document.xml'), numbering: part('word/numbering.xml'), styles: part('word/styles.xml') }
}

const answered = async (answer: string) => (await documentOf((await aTalk('Вопрос', answer)).id)).document
const textIn = (xml: string) => [...xml.matchAll(/<w:t[^>]*>([^<]*)<\/w:t>/g)].map(([, text]) => text).join('')

test('Markdown has the title, the date, the speakers and the unchanged texts', async () => {
  const { id, speaker } = await aTalk('Что *проверить*?\n\tСрок?', '1. Срок\n2. **Сумму**')
  const response = await fetchFile(id, 'md')
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toBe(
    [
      '# Договор аренды',
      'Чат от 6 марта 2026 г.',
      '**Вы**\n\nЧто *проверить*?\n\tСрок?',
      `**${speaker}**\n\n1. Срок\n2. **Сумму**\n`,
    ].join('\n\n---\n\n'),
  )
})

test('an unclosed code block is closed', async () => {
  const { id, answer } = await aTalk('Код?', 'Вот:\n````ts\nconst a = 1\n```')
  const thread = { id, userId: anna.user.id }
  const next = await aMessage(app.db, thread, { content: 'Дальше', parentId: answer.id })
  await app.db.update(threads).set({ currentLeafId: next.id }).where(eq(threads.id, id))
  expect(await (await fetchFile(id, 'md')).text()).toContain('```\n````\n\n---\n\n**Вы**\n\nДальше')
})

test('JSON has the thread and its messages as the API returns them', async () => {
  const { id, questionMessage, answer } = await aTalk('Вопрос', 'Ответ')
  await aMessage(app.db, { id, userId: anna.user.id }, { content: 'Другая ветка', parentId: questionMessage.id })
  const text = await (await fetchFile(id, 'json')).text()
  const file = ThreadWithMessages.parse(JSON.parse(text))
  expect(file.Messages.map((message) => message.id)).toEqual([questionMessage.id, answer.id])
  expect(file).toMatchObject({ id, title: 'Договор аренды', User: { id: anna.user.id } })
  expect(text).toContain('\n  "title": "Договор аренды"')
})

test('the model’s thought is exported only on request', async () => {
  const { id, answer, speaker } = await aTalk('Вопрос', 'Ответ')
  await app.db.update(messages).set({ thought: 'Первое.\nВторое.' }).where(eq(messages.id, answer.id))
  for (const format of ['md', 'json'])
    expect(await (await fetchFile(id, format)).text(), format).not.toContain('Первое')
  expect(await (await fetchFile(id, 'md&thoughts=1')).text()).toContain(
    `**${speaker}**\n\n> Размышления: Первое.\n> Второе.\n\nОтвет`,
  )
  const json = ThreadWithMessages.parse(await (await fetchFile(id, 'json&thoughts=1')).json())
  expect(json.Messages.at(-1)?.thought).toMatchObject({ text: 'Первое.\nВторое.' })
  expect(textIn((await documentOf(id)).document)).not.toContain('Первое')
})

test('files of a question are named', async () => {
  const { id, questionMessage } = await aTalk('Прочти', 'Прочёл')
  const file = { id: newId(), userId: anna.user.id, kind: 'document', name: 'смета.pdf' } as const
  await app.db.insert(files).values({ ...file, mime: 'application/pdf', bytes: 1, storageKey: 'x', state: 'ready' })
  await app.db.insert(messageFiles).values({ messageId: questionMessage.id, fileId: file.id, position: 0 })
  expect(await (await fetchFile(id, 'md')).text()).toContain('**Вы**\n\nФайлы: смета.pdf\n\nПрочти')
  expect(textIn((await documentOf(id)).document)).toContain('Файлы: смета.pdf')
})

test('a failed answer is exported as its error', async () => {
  const { id, answer } = await aTalk('Вопрос', 'x')
  const failed = await aMessage(
    app.db,
    { id, userId: anna.user.id },
    {
      role: 'assistant',
      content: '',
      status: 'failed',
      errorCode: 'busy',
      errorMessage: 'Модель занята.',
      parentId: answer.id,
    },
  )
  await app.db.update(threads).set({ currentLeafId: failed.id }).where(eq(threads.id, id))
  expect(await (await fetchFile(id, 'md')).text()).toMatch(/\*\*Ответ\*\*\n\nМодель занята\.\n$/)
})

test('a file is named after the thread', async () => {
  const { id } = await aTalk('Вопрос', 'Ответ', 'Смета/план "2026": ёлки 🎉')
  const header = (await fetchFile(id, 'docx')).headers.get('content-disposition') ?? ''
  expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe('Смета план 2026 ёлки 🎉.docx')
})

test('foreign or deleted threads, strangers and unknown formats are refused', async () => {
  const { id } = await aTalk('Вопрос', 'Ответ')
  expect((await fetchFile(id, 'md', await app.signIn())).status).toBe(404)
  expect((await app.visitor().fetch(`/api/threads/${id}/export?format=md`)).status).toBe(401)
  for (const format of ['pdf', '', 'md%00', 'MD']) expect((await fetchFile(id, format)).status).toBe(400)
  expect((await anna.fetch(`/api/threads/${id}/export`)).status).toBe(400)
  await app.db.update(threads).set({ deletedAt: new Date() }).where(eq(threads.id, id))
  expect((await fetchFile(id, 'md')).status).toBe(404)
})

test('an empty thread is a file with a title', async () => {
  const thread = await aThread(app.db, anna.user.id, { title: 'Пусто' })
  expect(await (await fetchFile(thread.id, 'md')).text()).toMatch(/^# Пусто\n/)
  expect(textIn((await documentOf(thread.id)).document)).toContain('Пусто')
})

/** A thread of so many messages, each of 100,000 symbols. */
async function aHugeThread(length: number) {
  const thread = await aThread(app.db, anna.user.id, { title: 'Огромная' })
  await aBranch(app.db, thread, length)
  await app.db
    .update(messages)
    .set({ content: 'ю'.repeat(100_000) })
    .where(eq(messages.threadId, thread.id))
  return thread.id
}

test.each(['md', 'json'])('a thread of 12 MB is sent as %s in small parts', async (format) => {
  const id = await aHugeThread(60)
  const sizes: number[] = []
  const response = await fetchFile(id, format)
  for await (const chunk of response.body ?? []) sizes.push((chunk as Uint8Array).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(12_000_000)
  expect(Math.max(...sizes)).toBeLessThan(1_000_000)
})

test('the export of all data sends a huge thread in parts too', async () => {
  const boris = await app.signIn()
  const thread = await aThread(app.db, boris.user.id)
  await aBranch(app.db, thread, 60)
  await app.db
    .update(messages)
    .set({ content: 'ю'.repeat(100_000) })
    .where(eq(messages.threadId, thread.id))
  const sizes: number[] = []
  const response = await boris.fetch(`/api/users/${boris.user.id}/export`)
  for await (const chunk of response.body ?? []) sizes.push((chunk as Uint8Array).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(12_000_000)
  expect(Math.max(...sizes)).toBeLessThan(1_000_000)
})

test('texts are read in pages of a megabyte or 500 messages', () => {
  const branch = (...bytes: number[]) => bytes.map((size, no) => ({ id: `${no}`, bytes: size }))
  expect(pagesOf([])).toEqual([])
  expect(pagesOf(branch(400_000, 600_000, 1, 2_000_000, 5))).toEqual([['0', '1'], ['2'], ['3'], ['4']])
  expect(pagesOf(branch(...Array<number>(1001).fill(1))).map(({ length }) => length)).toEqual([500, 500, 1])
})

describe('a document of Word', () => {
  test('has indices, formulas as source, and notes with a title (S10.654)', async () => {
    const xml = await answered(
      'H<sub>2</sub>O, $x_1 + y_1$ и \\(a\\).\n\n$$\na*b*c\n$$\n\n> [!WARNING]\n> Ток\n\n<sub onclick=x>нет</sub>',
    )
    expect(xml).toContain('<w:vertAlign w:val="subscript"/></w:rPr><w:t xml:space="preserve">2</w:t>')
    const code = [...xml.matchAll(/InlineCode"\/><\/w:rPr><w:t[^>]*>([^<]*)</g)].map(([, text]) => text)
    expect(code).toEqual(['x_1 + y_1', 'a', 'a*b*c'])
    expect(xml).toMatch(/"Quote"\/>.{0,60}<w:b\/><\/w:rPr><w:t[^>]*>Внимание<.*"Quote"\/>.{0,80}>Ток</)
    expect(textIn(xml)).not.toContain('[!WARNING]')
    expect(textIn(xml)).toContain('&lt;sub onclick=x&gt;нет&lt;/sub&gt;')
  })

  test('is refused for a thread that is too large, with advice', async () => {
    const response = await fetchFile(await aHugeThread(20), 'docx')
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { message: 'Чат слишком большой для Word. Скачайте его в Markdown или JSON.' },
    ])
  })

  test('is made once at a time per user', async () => {
    const thread = await aThread(app.db, anna.user.id, { title: 'Долгая' })
    await aBranch(app.db, thread, 200)
    const boris = await app.signIn()
    const other = await aThread(app.db, boris.user.id)
    await aBranch(app.db, other, 2)
    const statuses = await Promise.all(
      [fetchFile(thread.id, 'docx'), fetchFile(thread.id, 'docx'), fetchFile(other.id, 'docx', boris)].map(
        async (response) => (await response).status,
      ),
    )
    expect(statuses.sort()).toEqual([200, 200, 429])
    expect((await fetchFile(thread.id, 'docx')).status).toBe(200)
  })

  test('has the speakers and the questions as they were typed', async () => {
    const { id, speaker } = await aTalk('Первая <строка> & "вторая"\n* не список', 'Ответ')
    const { document, styles } = await documentOf(id)
    expect(document).toContain('<w:pStyle w:val="Speaker"/></w:pPr><w:r><w:t xml:space="preserve">Вы</w:t>')
    expect(document).toContain(`<w:t xml:space="preserve">${speaker}</w:t>`)
    expect(document).toContain('Первая &lt;строка&gt; &amp; &quot;вторая&quot;')
    expect(textIn(document)).toContain('* не список')
    for (const style of document.matchAll(/<w:[pr]Style w:val="(\w+)"/g))
      expect(styles).toContain(`w:styleId="${style[1]}"`)
  })

  test('has headings, bold, italic, struck and monospaced text', async () => {
    const xml = await answered('## Итог\n\nОчень **важно**, *скорее* ~~нет~~ `npm ci`')
    expect(xml).toContain('<w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t xml:space="preserve">Итог</w:t></w:r>')
    expect(xml).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">важно</w:t>')
    expect(xml).toContain('<w:rPr><w:i/></w:rPr><w:t xml:space="preserve">скорее</w:t>')
    expect(xml).toContain('<w:rPr><w:strike/></w:rPr><w:t xml:space="preserve">нет</w:t>')
    expect(xml).toContain('<w:rStyle w:val="InlineCode"/></w:rPr><w:t xml:space="preserve">npm ci</w:t>')
  })

  test('keeps code with its lines and tabs', async () => {
    const xml = await answered('```ts\nif (a < b) {\n\treturn\n}\n```')
    expect(xml).toContain('<w:pStyle w:val="Code"/>')
    expect(xml).toContain('if (a &lt; b) {</w:t><w:br/><w:tab/><w:t xml:space="preserve">return</w:t><w:br/>')
  })

  test('numbers each list from its own beginning and nests lists', async () => {
    const talk = await aTalk(
      'Вопрос',
      '1. раз\n2. два\n   - глубже\n     1. ещё глубже\n\nтекст\n\n5. пять\n\n- [x] готово\n- [ ] нет',
    )
    const { document, numbering } = await documentOf(talk.id)
    const marks = [...document.matchAll(/<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d)"\/>/g)].map(([, level, id]) => [
      level,
      id,
    ])
    expect(marks).toEqual([
      ['0', '2'],
      ['0', '2'],
      ['1', '1'],
      ['2', '3'],
      ['0', '4'],
      ['0', '1'],
      ['0', '1'],
    ])
    expect(numbering).toContain(
      '<w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/>',
    )
    expect(textIn(document)).toContain('☑ готово☐ нет')
  })

  test('has tables, quotes and rules', async () => {
    const xml = await answered('| Имя | Сумма |\n|:--|--:|\n| Анна | **5** |\n\n> Цитата\n\n---\n\nКонец')
    expect(xml.match(/<w:tr>/g)).toHaveLength(2)
    expect(xml).toContain('<w:trPr><w:tblHeader/></w:trPr>')
    expect(xml).toContain('<w:jc w:val="right"/>')
    expect(xml).toContain('<w:pStyle w:val="Quote"/>')
    expect(xml).toContain('<w:pStyle w:val="Rule"/>')
  })

  test('writes the address of a link, and never fetches an image', async () => {
    const xml = await answered(
      '[статья](https://a.example/x) https://b.example ![схема](https://c.example/z.png) <b>тег</b>',
    )
    expect(textIn(xml)).toContain(
      'статья (https://a.example/x) https://b.example [схема] (https://c.example/z.png) &lt;b&gt;тег&lt;/b&gt;',
    )
    expect(xml).not.toMatch(/<w:drawing|r:id/)
  })

  test('has no characters that XML cannot contain', async () => {
    const xml = await answered('до\u0001\u000b\u001f\ufffe после')
    expect(textIn(xml)).toContain('до после')
  })

  test.each([
    ['quotes in quotes', '>'.repeat(5000)],
    ['lists in lists', '- '.repeat(2000)],
    ['a table of a hundred columns', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|`],
    ['one endless word', 'я'.repeat(20_000)],
    ['stars without end', 'a**b'.repeat(3000)],
  ])('is made of %s too', async (_, answer) => {
    expect(await answered(answer)).toMatch(/<\/w:document>$/)
  })

  test('is made of the whole branch of a very long thread', async () => {
    const thread = await aThread(app.db, anna.user.id, { title: 'Долгая' })
    await aBranch(app.db, thread, 1200)
    const { document } = await documentOf(thread.id)
    expect(document.match(/<w:pStyle w:val="Speaker"\/>/g)).toHaveLength(1200)
    expect(textIn(document)).toContain('Вопрос 1Ответ')
  })
})
