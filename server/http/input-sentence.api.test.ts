import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { inputSentence, russianWords, unworded } from './input-sentence.ts'

const sentenceFor = (schema: z.ZodType, value: unknown, subject = '') => {
  const [issue] = schema.safeParse(value, unworded).error?.issues ?? []
  return issue ? inputSentence(issue, subject).replaceAll('\u00a0', ' ') : 'fits'
}
const of = (field: string, schema: z.ZodType) => z.strictObject({ [field]: schema })

describe('each kind of problem', () => {
  const text = z.string().min(3).max(100_000)
  test.each([
    [
      of('content', text),
      { content: 'я'.repeat(200_000) },
      'Текст сообщения не длиннее 100 000 символов, сейчас 200 000.',
    ],
    [of('title', z.string().max(201)), { title: 'я'.repeat(300) }, 'Название не длиннее 201 символа, сейчас 300.'],
    [of('password', text), { password: 'я' }, 'Пароль не короче 3 символов, сейчас 1.'],
    [of('code', z.string().length(6)), { code: '1' }, 'Код не короче и не длиннее 6 символов, сейчас 1.'],
    [of('title', z.string().min(1)), { title: '' }, 'Не заполнено: «Название».'],
    [of('title', text), {}, 'Не заполнено: «Название».'],
    [of('title', text), { title: null }, 'Не заполнено: «Название».'],
    [of('kind', z.enum(['a', 'b'])), {}, 'Не заполнено: «Вид».'],
    [of('title', text), { title: 7 }, 'Название: нужен текст.'],
    [of('symbols', z.int()), { symbols: 1.5 }, 'Число символов: нужно целое число.'],
    [of('symbols', z.int()), { symbols: 1e300 }, 'Число символов: число слишком большое.'],
    [of('symbols', z.number()), { symbols: '5' }, 'Число символов: нужно число.'],
    [of('price', z.number().max(1_000_000)), { price: 2_000_000 }, 'Цена не больше 1 000 000.'],
    [of('price', z.number().positive()), { price: 0 }, 'Цена больше 0.'],
    [of('price', z.number().min(10)), { price: 1 }, 'Цена не меньше 10.'],
    [of('price', z.number().multipleOf(5)), { price: 1 }, 'Цена: нужно число, кратное 5.'],
    [of('active', z.boolean()), { active: 'yes' }, 'Доступность: нужно «да» или «нет».'],
    [of('fileIds', z.array(z.string()).max(2)), { fileIds: ['a', 'b', 'c'] }, 'Файлы: не больше 2, сейчас 3.'],
    [of('fileIds', z.array(z.string()).min(1)), { fileIds: [] }, 'Не заполнено: «Файлы».'],
    [of('fileIds', z.array(z.string())), { fileIds: 'a' }, 'Файлы: нужен список.'],
    [of('fileIds', z.array(z.string())), { fileIds: [7] }, 'Файлы: нужен текст.'],
    [of('email', z.email()), { email: 'x' }, 'Почта: проверьте адрес, в нём нужны имя, знак @ и домен.'],
    [of('id', z.uuid()), { id: 'x' }, 'Поле «id»: такого номера не бывает.'],
    [of('image', z.url()), { image: 'x' }, 'Картинка профиля: нужна полная ссылка, как в адресной строке браузера.'],
    [of('from', z.iso.datetime()), { from: 'x' }, 'Начало срока: нужны дата и время.'],
    [of('from', z.iso.date()), { from: 'x' }, 'Начало срока: нужна дата: год, месяц и день.'],
    [of('code', z.string().regex(/^\d+$/)), { code: 'x' }, 'Код: в таком виде не подходит.'],
    [of('kind', z.enum(['a', 'b'])), { kind: 'c' }, 'Вид: нужно одно из допустимых значений.'],
    [of('title', text), { title: 'abc', wrong: 1 }, 'Лишнее поле «wrong».'],
    [of('title', text), { title: 'abc', a: 1, b: 2 }, 'Лишние поля: «a», «b».'],
    [of('text', z.union([z.string(), z.number()])), { text: [] }, 'Текст: такое значение не подходит.'],
    [of('text', z.union([z.string().max(2), z.number()])), { text: 'abc' }, 'Текст не длиннее 2 символов, сейчас 3.'],
    [of('image', z.file().max(2048)), { image: new File(['я'.repeat(4000)], 'a') }, 'Картинка профиля не больше 2 КБ.'],
    [
      of('to', z.date().max(new Date('2026-01-01'))),
      { to: new Date('2027-01-01') },
      'Конец срока не позже 01.01.2026.',
    ],
    [
      of(
        'text',
        z.custom(() => false),
      ),
      { text: 1 },
      'Текст: такое значение не подходит.',
    ],
    [of('price', z.number({ error: 'Впишите цену' })), { price: '' }, 'Впишите цену.'],
    [of('price', z.number({ error: 'нужна цена' })), { price: '' }, 'Цена: нужна цена.'],
    [of('unknown', text), { unknown: 'a' }, 'Поле «unknown» не короче 3 символов, сейчас 1.'],
    [of('title', text), null, 'Запрос пуст: заполните его поля.'],
    [of('title', text), [], 'Запрос: нужен набор полей.'],
  ])('%#: %j (S10.612)', (schema, value, sentence) => {
    expect(sentenceFor(schema as z.ZodType, value)).toBe(sentence)
  })

  test('a check of a library is worded too', () => {
    const [issue] = of('email', z.string()).safeParse({}, { error: russianWords.localeError }).error?.issues ?? []
    expect(issue?.message).toBe('Не заполнено: «Почта».')
  })

  test('a field is called by its subject', () => {
    const long = { content: 'я'.repeat(9) }
    expect(sentenceFor(of('content', z.string().max(5)), long, 'prompts')).toBe(
      'Текст промпта не длиннее 5 символов, сейчас 9.',
    )
  })
})

const bad = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'я'.repeat(300_000),
  -1,
  0,
  0.5,
  1e308,
  true,
  [],
  [null],
  ['x'],
  Array.from({ length: 3000 }, (_, i) => `${i}`),
  {},
  { x: 1 },
]
type Def = Record<string, unknown>
const defOf = (value: unknown) => (value as { _zod?: { def?: Def } } | null | undefined)?._zod?.def

/** Values that are wrong in one field each, at every depth of the schema. */
function wrongValues(schema: unknown): unknown[] {
  return [...bad, ...Object.entries(defOf(schema) ?? {}).flatMap(([part, inner]) => wrongIn(part, inner))]
}

function wrongIn(part: string, inner: unknown): unknown[] {
  if (defOf(inner)) return part === 'element' ? wrongValues(inner).map((value) => [value]) : wrongValues(inner)
  if (Array.isArray(inner)) return inner.filter(defOf).flatMap(wrongValues)
  const fields = typeof inner === 'object' && inner !== null ? Object.entries(inner) : []
  return fields
    .filter(([, field]) => defOf(field))
    .flatMap(([name, field]) => wrongValues(field).map((value) => ({ [name]: value })))
}

/** Names of formats, currencies and languages, in sentences of the contract. */
const NAMES = /\b(PNG|JPEG|WebP|BYN|md|json|docx|txt|srt|(ru|be|uk|en|de|fr|es|it|pl|lt|kk|zh)(?=[,.]))\b/g
const calls = Object.values(api).flatMap((group) => Object.values(group) as Endpoint[])

test('no sentence about a field contains a word of the checker (S10.612)', () => {
  const seen = new Set<string>()
  for (const { path, body, query } of calls) {
    for (const schema of [body, query]) {
      for (const value of schema ? wrongValues(schema) : []) {
        for (const issue of schema?.safeParse(value, unworded).error?.issues ?? [])
          seen.add(inputSentence(issue, path.split('/')[2] ?? ''))
      }
    }
  }
  expect(seen.size).toBeGreaterThan(200)
  const unquoted = [...seen].map((sentence) => sentence.replace(/«[^«»]*»/g, '«…»'))
  expect(unquoted.filter((sentence) => /[a-z<>=]/i.test(sentence.replace(NAMES, '')))).toEqual([])
  expect(unquoted.filter((sentence) => !/^[А-ЯЁ].*[.!?]$/.test(sentence))).toEqual([])
})

describe('a request that cannot be read', () => {
  let app: TestApp
  let anna: SignedIn
  beforeAll(async () => {
    app = await startTestApp()
    anna = await app.signIn()
  })
  afterAll(() => app.close())

  test.each([
    ['POST', '/api/prompts', 'application/json', '{"title"', 400],
    ['POST', '/api/prompts', 'text/plain', '{}', 415],
    ['POST', '/api/prompts', 'application/json', '[]', 400],
    ['POST', '/api/prompts', 'application/json', `${'['.repeat(60)}${']'.repeat(60)}`, 400],
    ['GET', '/api/threads?limit=many', '', null, 400],
    ['GET', '/api/threads?cursor=nowhere', '', null, 400],
    ['GET', '/api/threads?limit=100000', '', null, 400],
    ['GET', '/api/threads/%00', '', null, 400],
    ['GET', '/api/threads/no-such-thread', '', null, 404],
  ] as const)('%s %s %s %s (S10.612)', async (method, path, type, body, status) => {
    const response = await anna.fetch(path, { method, headers: type ? { 'content-type': type } : {}, body })
    expect(response.status).toBe(status)
    const { message } = (await response.json()) as { message: string }
    expect(message.replace(/«[^«»]*»/g, '«…»')).toMatch(/^[А-ЯЁ][^a-z<>=]*$/)
  })
})
