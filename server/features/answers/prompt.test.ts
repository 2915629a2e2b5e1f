import { expect, test } from 'vitest'
import { PASSAGE_SYMBOLS } from '#contract/assistants.ts'
import {
  type CitedPassage,
  composePrompt,
  type PromptMessage,
  type PromptParams,
  passageLimit,
  searchText,
} from './prompt.ts'

const promptMessage = (content: string, role: PromptMessage['role'] = 'user'): PromptMessage => ({
  role,
  content,
  documents: [],
  images: [],
  imageSymbols: 0,
})
const passage = (n: number, text: string): CitedPassage => ({
  n,
  passageId: `chunk-${n}`,
  fileId: 'file',
  fileName: 'a.txt',
  place: `стр. ${n}`,
  section: null,
  text,
})
const params = (part: Partial<PromptParams> = {}): PromptParams => ({
  history: [],
  question: promptMessage('Вопрос'),
  begun: '',
  instructions: '',
  personal: '',
  passages: [],
  contextSymbols: null,
  maxOutputSymbols: null,
  ...part,
})

test('instructions, passages and the question add up to the input', () => {
  const { messages, parts, input, citations } = composePrompt(
    params({
      instructions: 'Кратко',
      history: [promptMessage('Раз'), promptMessage('Два', 'assistant')],
      passages: [passage(1, 'Текст')],
    }),
  )
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(messages[3]?.content.endsWith('\n\nВопрос')).toBe(true)
  expect(parts).toMatchObject({ question: 6, instructions: 6, history: 6, historyMessages: 2, files: 0 })
  const sent = messages.reduce((sum, { content }) => sum + content.length, 0)
  expect(input).toBe(sent - '\n\n'.length)
  expect(citations).toEqual([{ n: 1, passageId: 'chunk-1', fileId: 'file', fileName: 'a.txt', place: 'стр. 1' }])
})

test('the own instructions follow those of the assistant, and count (S10.220)', () => {
  const { messages, parts, input } = composePrompt(params({ instructions: 'Кратко', personal: 'На «ты»' }))
  expect(messages[0]).toEqual({ role: 'system', content: 'Кратко\n\nНа «ты»' })
  expect(parts).toMatchObject({ instructions: 6, personal: 7 })
  expect(input).toBe(6 + 6 + 7)
  expect(composePrompt(params({ personal: 'На «ты»' })).messages[0]).toEqual({ role: 'system', content: 'На «ты»' })
  expect(() => composePrompt(params({ personal: 'а'.repeat(100), contextSymbols: 80 }))).toThrow('не помещается')
})

test('passages take at most their share, and only shown passages are sources', () => {
  const passages = [1, 2, 3, 4].map((n) => passage(n, 'а'.repeat(4000)))
  const { parts, citations } = composePrompt(params({ passages }))
  expect(citations.map(({ n }) => n)).toEqual([1, 2])
  expect(parts.passages).toBeLessThanOrEqual(PASSAGE_SYMBOLS)
})

test('a small window leaves half of its rest to earlier messages', () => {
  const small = { contextSymbols: 4000, maxOutputSymbols: 1000 }
  const history = [promptMessage('и'.repeat(1400), 'assistant')]
  const passages = [passage(1, 'а'.repeat(600)), passage(2, 'б'.repeat(600))]
  const { parts, citations } = composePrompt(params({ ...small, history, passages }))
  expect(citations).toHaveLength(1)
  expect(parts.historyMessages).toBe(1)
  expect(passageLimit(params(small))).toBe(1497)
})

test('instructions that do not fit are rejected, not cut', () => {
  expect(() => composePrompt(params({ instructions: 'а'.repeat(100), contextSymbols: 80 }))).toThrow('не помещается')
})

test('a continued answer has its passages before the earlier text', () => {
  const { messages } = composePrompt(params({ begun: 'Начало', passages: [passage(1, 'Текст')] }))
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(messages[0]?.content).toContain('Текст')
})

test('a short question is searched together with the previous question', () => {
  const history = [promptMessage('Сколько стоит доставка в Москву?'), promptMessage('300 рублей', 'assistant')]
  expect(searchText('А в Казань?', history)).toBe('Сколько стоит доставка в Москву?\nА в Казань?')
  const long = 'Какие документы нужны для возврата товара, купленного по акции?'
  expect(searchText(long, history)).toBe(long)
  expect(searchText(' Сколько? ', [])).toBe('Сколько?')
  expect(searchText('', history)).toBe('Сколько стоит доставка в Москву?')
})
