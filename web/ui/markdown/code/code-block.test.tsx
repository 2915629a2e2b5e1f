import { flushSync } from 'react-dom'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnswerView, loadParts, openAnswer } from '../testing/answer-view.tsx'
import { cachedTokens } from './highlight.ts'
import { extensionOf, findLanguage, languageLabel } from './languages.ts'
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

const named = (label: string) => find(`[aria-label="${label}"]`)

test('long lines wrap on request (S10.1495)', () => {
  shown.show('```\nкоротко\n```')
  expect(named('Переносить строки')).toBeNull()
  shown.show(`\`\`\`\n${'длинно '.repeat(10)}\n\`\`\``)
  flushSync(() => named('Переносить строки')?.click())
  expect(find('figure')?.dataset.wrapped).toBe('true')
  flushSync(() => named('Не переносить строки')?.click())
  expect(find('figure')?.dataset.wrapped).toBeUndefined()
})

test('code is downloaded as a file of its language (S10.1495)', async () => {
  const saved: { blob?: Blob; name?: string } = {}
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.blob = blob as Blob
    return 'blob:code'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.name = this.download
  })
  shown.show('```py\nprint(1)\n```')
  named('Скачать')?.click()
  expect(saved.name).toBe('code.py')
  expect(await saved.blob?.text()).toBe('print(1)')
  vi.restoreAllMocks()
  const words = ['tsx', 'C#', 'html', 'bash', 'json', 'невесть что', null]
  expect(words.map(extensionOf)).toEqual(['tsx', 'cs', 'html', 'sh', 'json', 'txt', 'txt'])
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
