import { flushSync } from 'react-dom'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnswerView, loadParts, openAnswer } from '../testing/answer-view.tsx'
import { cachedTokens } from './highlight.ts'
import { findLanguage, languageLabel } from './languages.ts'
import { flatten } from './tokens.ts'

let shown: AnswerView
const find = (selector: string) => shown.element.querySelector<HTMLElement>(selector)
const button = (name: string) =>
  [...shown.element.querySelectorAll('button')].find((element) => element.textContent === name)

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  shown = openAnswer()
})
afterEach(() => {
  shown.remove()
  Reflect.deleteProperty(navigator, 'clipboard')
  Reflect.deleteProperty(document, 'execCommand')
})

describe('the copy button', () => {
  test('copies only the code and says so', async () => {
    const writeText = vi.fn(async () => undefined)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    shown.show('```html\n<b>раз</b>\n  два\n```')
    button('Копировать')?.click()
    await vi.waitFor(() => expect(button('Скопировано')).toBeDefined())
    expect(writeText).toHaveBeenCalledExactlyOnceWith('<b>раз</b>\n  два')
    expect(find('[aria-live=polite]')?.textContent).toBe('Скопировано')
  })

  test('works without the clipboard API', async () => {
    const copied: string[] = []
    const execCommand = () => {
      copied.push(document.querySelector('textarea')?.value ?? '')
      return true
    }
    Object.defineProperty(document, 'execCommand', { value: execCommand, configurable: true })
    shown.show('```\nраз\n```')
    button('Копировать')?.click()
    await vi.waitFor(() => expect(button('Скопировано')).toBeDefined())
    expect(copied).toEqual(['раз'])
    expect(document.querySelector('textarea')).toBeNull()
  })
})

test('only long code can be folded', () => {
  shown.show(`\`\`\`\n${'строка\n'.repeat(31)}\`\`\``)
  const fold = button('Свернуть')
  expect(fold?.getAttribute('aria-expanded')).toBe('true')
  flushSync(() => fold?.click())
  expect(button('Развернуть')?.getAttribute('aria-expanded')).toBe('false')
  expect(find('.code-block')?.dataset.folded).toBe('true')
  shown.show(`\`\`\`\n${'строка\n'.repeat(30)}\`\`\``)
  expect(button('Развернуть')).toBeUndefined()
})

describe('colours', () => {
  test('come after the text and do not change it', async () => {
    const code = 'const a: number = 1 // раз & <два>\nconst b = /x/'
    shown.show(`\`\`\`ts\n${code}\n\`\`\``)
    expect(find('pre')?.textContent).toBe(code)
    await vi.waitFor(() => expect(find('.tok-comment')?.textContent).toBe('// раз & <два>'))
    expect(find('pre')?.textContent).toBe(code)
    expect(cachedTokens(code, 'typescript')).not.toBeNull()
  })

  test('are available at once for code that had them before', async () => {
    shown.show('```json\n{"a": 1}\n```')
    await vi.waitFor(() => expect(find('.tok-number')).not.toBeNull())
    const again = openAnswer()
    again.show('Раз\n\n```json\n{"a": 1}\n```')
    expect(again.element.querySelector('.tok-number')?.textContent).toBe('1')
    again.remove()
  })

  test('are missing for an unknown language', () => {
    shown.show('```brainfuck\n+++.\n```')
    expect(find('.code-label')?.textContent).toBe('brainfuck')
    expect(find('pre')?.innerHTML).toBe('<code>+++.</code>')
  })

  test('belong to the nearest scope, and equal neighbours are joined', () => {
    const tree = {
      children: [
        'a ',
        {
          scope: 'string',
          children: ['"b ', { scope: 'subst', children: ['#{', { scope: 'number', children: ['1'] }, '}'] }, '"'],
        },
        { scope: 'title.function', children: ['f'] },
        { scope: 'title.function.invoke', children: ['g'] },
        { scope: '"><script>', children: ['x'] },
      ],
    }
    expect(flatten(tree)).toEqual([
      { text: 'a ', kind: null },
      { text: '"b ', kind: 'string' },
      { text: '#{', kind: null },
      { text: '1', kind: 'number' },
      { text: '}', kind: null },
      { text: '"', kind: 'string' },
      { text: 'fg', kind: 'title' },
      { text: 'x', kind: null },
    ])
  })
})

test('languages are found by the names models use', () => {
  const names = ['ts', 'TSX', 'py', 'C++', 'c#', 'sh', 'html', 'yml', 'golang', 'toml']
  expect(names.map(findLanguage)).toEqual([
    ...['typescript', 'typescript', 'python', 'cpp', 'csharp', 'bash', 'xml', 'yaml', 'go', 'ini'],
  ])
  expect(['', 'nosuch', '__proto__', 'constructor', null].map(findLanguage)).toEqual([null, null, null, null, null])
  expect(['ts', 'html', 'toml', 'nosuch', null].map(languageLabel)).toEqual([
    'TypeScript',
    'HTML',
    'TOML',
    'nosuch',
    'Код',
  ])
})
