import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { LazyMarkdown } from './markdown-part.tsx'
import { type AnswerView, loadParts, openAnswer } from './testing/answer-view.tsx'
import { answers } from './testing/answers.ts'

let shown: AnswerView
const find = (selector: string) => shown.element.querySelector<HTMLElement>(selector)
const all = (selector: string) => [...shown.element.querySelectorAll<HTMLElement>(selector)]
const textOf = (selector: string) => all(selector).map((element) => element.textContent)
const click = (element: HTMLElement | null) => flushSync(() => element?.click())

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  shown = openAnswer()
})
afterEach(() => shown.remove())

describe('text', () => {
  test('headings begin below those of the page', () => {
    shown.show('# Один\n\n## Два\n\n### Три\n\n#### Четыре\n\n###### Шесть')
    expect(all('h1, h2')).toEqual([])
    expect(all('h3, h4, h5, h6').map((heading) => heading.localName)).toEqual(['h3', 'h4', 'h5', 'h6', 'h6'])
  })

  test('line breaks of the model stay', () => {
    shown.show('Мороз и солнце;\nдень чудесный!')
    expect(find('p')?.textContent).toBe('Мороз и солнце;\nдень чудесный!')
  })

  test('a table cell can break its line with <br>', () => {
    shown.show('| a |\n|---|\n| раз<br>два |')
    expect(find('td')?.innerHTML).toBe('раз<br>два')
  })

  test('only a loose list has paragraphs', () => {
    shown.show('- раз\n- два')
    expect(all('li > p')).toHaveLength(0)
    shown.show('- раз\n\n- два')
    expect(all('li > p')).toHaveLength(2)
  })

  test('tasks can be read, but not ticked', () => {
    shown.show(answers.tasks ?? '')
    expect(all('input')).toEqual([])
    expect(all('.task-box').map((box) => box.getAttribute('aria-label'))).toEqual([
      'Сделано',
      'Не сделано',
      'Не сделано',
      'Сделано',
    ])
  })

  test('a row has the cells and alignment of the head', () => {
    shown.show('| a | b |\n|:-:|--:|\n| 1 |\n| 1 | 2 | 3 |')
    expect(all('tbody tr').map((row) => row.children.length)).toEqual([2, 2])
    expect(all('th').map((cell) => cell.dataset.align)).toEqual(['center', 'right'])
  })

  test('footnotes are numbered in the order of use and have links', () => {
    shown.show('Раз[^b], два[^a], снова[^b].\n\n[^a]: Про два\n[^b]: Про раз\n[^c]: Никто не звал')
    expect(textOf('sup')).toEqual(['1', '2', '1'])
    expect(textOf('.footnotes li')).toEqual(['Про раз', 'Про два', 'Никто не звал'])
    expect(find('sup a')?.getAttribute('href')).toBe(`#${find('.footnotes li')?.id}`)
  })
})

describe('links and pictures', () => {
  test('an external link opens in a new tab without a referrer', () => {
    shown.show('[сайт](https://example.com "Заголовок")')
    const link = find('a')
    expect(link?.getAttribute('rel')).toBe('noopener nofollow noreferrer')
    expect(link?.getAttribute('target')).toBe('_blank')
    expect(link?.title).toBe('Заголовок')
  })

  test('a link to a screen stays in the window', () => {
    shown.show('[профиль](/profile)')
    expect(find('a')?.getAttribute('target')).toBeNull()
    click(find('a'))
    expect(location.pathname).toBe('/profile')
  })

  test('a forbidden link is shown as text', () => {
    shown.show('[нажми](javascript:alert(1))')
    expect(find('a')).toBeNull()
    expect(shown.element.textContent).toBe('нажми')
  })

  test('an external picture is loaded on request', () => {
    shown.show('![Рыжий кот](https://example.com/cat.png)')
    expect(find('img')).toBeNull()
    expect(find('button')?.textContent).toBe('Рыжий котКартинка с сайта example.com — показать')
    click(find('button'))
    expect(find('img')?.getAttribute('src')).toBe('https://example.com/cat.png')
    expect(find('img')?.getAttribute('referrerpolicy')).toBe('no-referrer')
  })

  test('a picture that failed says so and leads to its site', () => {
    shown.show('![кот](https://example.com/cat.png)')
    click(find('button'))
    flushSync(() => find('img')?.dispatchEvent(new Event('error')))
    expect(shown.element.textContent).toContain('Картинка не загрузилась.')
    expect(find('a')?.getAttribute('href')).toBe('https://example.com/cat.png')
  })

  test('a picture of ours is shown at once, a data URL never', () => {
    shown.show('![a](/api/images/0190aaaa-bbbb/file) ![b](data:image/png;base64,x)')
    expect(all('img').map((image) => image.getAttribute('src'))).toEqual(['/api/images/0190aaaa-bbbb/file'])
    expect(shown.element.textContent).toContain('b')
  })
})

describe('formulas', () => {
  const drawn = (count: number) => vi.waitFor(() => expect(all('.katex')).toHaveLength(count))

  test('that cannot be parsed show their source', async () => {
    shown.show('$\\frac{1$ и $\\nosuch{x}$ и $x^2$')
    await drawn(1)
    expect(textOf('.formula-source')).toEqual(['\\frac{1', '\\nosuch{x}'])
  })

  test('that are being written show their source first', async () => {
    shown.show('пусть $\\frac{1}{2', true)
    expect(textOf('.formula-source')).toEqual(['\\frac{1}{2'])
    shown.show('пусть $\\frac{1}{2}$', true)
    await drawn(1)
  })

  test('accept Cyrillic characters', async () => {
    shown.show('$v_{ср} = 10 м/с$')
    await drawn(1)
  })

  test('never show the mark of an unfinished formula', () => {
    shown.show('\\(\n===\n\\alpha', true)
    expect(shown.element.textContent).not.toContain('\uE000')
  })
})

describe('an answer on its way', () => {
  test('shows no half markers', () => {
    shown.show('Это **жирный и [ссылка](htt', true)
    expect(shown.element.textContent).toBe('Это жирный и ссылка')
    shown.show('| Имя | Цена', true)
    expect(textOf('th')).toEqual(['Имя', 'Цена'])
  })
})

test('the part loaded on first use renders the same', async () => {
  const element = document.createElement('div')
  const root = createRoot(element)
  flushSync(() => root.render(<LazyMarkdown text="**раз**" />))
  await vi.waitFor(() => expect(element.querySelector('strong')?.textContent).toBe('раз'))
  root.unmount()
})
