import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const html = (source: string) => renderMarkdown(source).html

test('headings get transliterated ids, and equal headings get different ids', () => {
  const { headings, html } = renderMarkdown('## Что входит в вопрос?\n\nТекст.\n\n### Ещё\n\n### Ещё')
  expect(headings).toEqual([
    { id: 'chto-vhodit-v-vopros', text: 'Что входит в вопрос?', level: 2 },
    { id: 'esche', text: 'Ещё', level: 3 },
    { id: 'esche-2', text: 'Ещё', level: 3 },
  ])
  expect(html).toContain('<h2 id="chto-vhodit-v-vopros">Что входит в вопрос?</h2><a href="#chto-vhodit-v-vopros"')
})

test('paragraphs, lists, quotes, rules and code', () => {
  expect(html('Одна\nстрока.\n\nДругая.')).toBe('<p>Одна строка.</p>\n<p>Другая.</p>')
  expect(html('- раз\n- два\n  и дальше')).toBe('<ul><li>раз</li><li>два и дальше</li></ul>')
  expect(html('3. три\n4. четыре')).toBe('<ol start="3"><li>три</li><li>четыре</li></ol>')
  expect(html('> Цена = **вопрос**\n\n---')).toBe(
    '<blockquote><p>Цена = <strong>вопрос</strong></p></blockquote>\n<hr>',
  )
  expect(html('```sh\nnpm start # <b>\n```')).toBe(
    '<div data-code><pre tabindex="0"><code>npm start # &lt;b&gt;</code></pre><button type="button" data-copy>Копировать</button></div>',
  )
})

test('a table has a head, rows and a box to scroll in', () => {
  expect(html('| Что | Сколько |\n| --- | --- |\n| Ошибка | *0* |')).toBe(
    '<div data-table role="region" aria-label="Таблица" tabindex="0"><table><thead><tr><th scope="col">Что</th><th scope="col">Сколько</th></tr></thead><tbody><tr><td>Ошибка</td><td><em>0</em></td></tr></tbody></table></div>',
  )
})

test('bold, italic and code nest in each other and in links', () => {
  expect(html('**Нажмите [«Оспорить»](/profile#operations)** и *ждите `0`*')).toBe(
    '<p><strong>Нажмите <a href="/profile#operations">«Оспорить»</a></strong> и <em>ждите <code>0</code></em></p>',
  )
})

test('everything is escaped before it is shown', () => {
  expect(html('5 < 6 & "7" > \'0\'')).toBe('<p>5 &lt; 6 &amp; &quot;7&quot; &gt; &#39;0&#39;</p>')
  expect(html('`<script>alert(1)</script>`')).toBe('<p><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></p>')
  expect(html('[x](/a"onclick=alert)')).toBe('<p><a href="/a&quot;onclick=alert">x</a></p>')
})

test('an address of email may be linked, for the page about support', () => {
  expect(html('[a@b.ru](mailto:a@b.ru)')).toBe('<p><a href="mailto:a@b.ru">a@b.ru</a></p>')
})

test('an external link opens in a new tab with nofollow', () => {
  expect(html('[bePaid](https://bepaid.by)')).toBe(
    '<p><a href="https://bepaid.by" target="_blank" rel="noopener nofollow">bePaid</a></p>',
  )
})

test.each(['javascript:alert', 'data:text/html,x', '//evil.example', 'mailto:a@b.ru?body=x', 'money/why'])(
  'a link to %s is refused',
  (address) => {
    expect(() => html(`[x](${address})`)).toThrow('a link may lead to')
  },
)

test('pictures have a size, a dark twin and load late (S10.984)', () => {
  const { html: figure, images } = renderMarkdown('![Форма ключа](/assets/help/key-form-640x400-0123abcd.webp)')
  expect(images).toEqual([
    '/assets/help/key-form-640x400-0123abcd.webp',
    '/assets/help/key-form-640x400-0123abcd-dark.webp',
  ])
  expect(figure).toContain('data-shown="dark" alt="Форма ключа" width="640" height="400" loading="lazy"')
})

test('a drawing of a form names its fields (S10.984)', () => {
  const figure = html('```form\nn8n — OpenAI\nBase URL = %BASE_URL%\nAPI Key = sym-…\n```')
  expect(figure).toContain('<p>n8n — OpenAI</p>')
  expect(figure).toContain('<dt>Base URL</dt><dd><code>%BASE_URL%</code><button type="button" data-copy>')
  expect(figure).toContain('<dt>API Key</dt><dd><code>sym-…</code></dd>')
  expect(figure).toContain('<figcaption>Рисунок')
})

describe('marks outside the subset are refused', () => {
  test.each([
    ['HTML', 'Строка <b>жирно</b>'],
    ['a comment', '<!-- заметка -->'],
    ['an image of no size', '![кот](/cat.png)'],
    ['an image inside a text', 'Вот ![кот](/assets/help/cat-1x1-0123abcd.webp)'],
    ['a line of a form without a value', '```form\nn8n\nBase URL\n```'],
    ['a title inside', '# Заголовок'],
    ['a deep heading', '#### Глубоко'],
    ['other bullets', '* раз'],
    ['a list in a list', '- раз\n  - два'],
    ['a task', '- [ ] сделать'],
    ['lists of two kinds', '- раз\n2. два'],
    ['code by indent', '    код'],
    ['code without an end', '```\nкод'],
    ['a table without a head', '| a | b |\n| 1 | 2 |'],
    ['rows of different length', '| a | b |\n| --- | --- |\n| 1 |'],
    ['a bold without an end', 'Это **важно'],
    ['a footnote', 'Слово[^1]'],
    ['a link by reference', '[слово][1]'],
    ['a strike', '~~было~~'],
    ['emphasis by underscores', 'Это _важно_'],
    ['an entity', 'a&nbsp;b'],
    ['an escape', '1\\*2'],
    ['a bare address', 'Откройте https://example.ru'],
    ['a list without a line before it', 'Вот:\n- раз'],
    ['a break by spaces', 'раз  \nдва'],
    ['another kind of heading', 'Заголовок\n==='],
    ['signs that close a heading', '## Заголовок ##'],
    ['a heading without a text', '##'],
    ['a rule of other signs', 'раз\n\n***'],
    ['code between tildes', '~~~\nкод\n~~~'],
    ['code with more than a language', '```sh title\nкод\n```'],
    ['numbers with a bracket', '1) раз'],
    ['a list with empty lines between its items', '- раз\n\n- два'],
    ['an item of two paragraphs', '- раз\n\n  два'],
    ['an item that goes on without an indent', '- раз\nдва'],
    ['an empty item', '- раз\n-'],
    ['an indented block', 'раз\n\n  два'],
    ['a quote that goes on without its sign', '> раз\nдва'],
    ['a list in a quote without a line before it', '> раз\n> - два'],
    ['columns that are aligned', '| a |\n| :-: |\n| 1 |'],
    ['a row without its first bar', '| a | b |\n| --- | --- |\n1 | 2 |'],
    ['a table without a line before it', 'раз\n| a |\n| --- |\n| 1 |'],
    ['a link with a title', '[слово](/a "b")'],
    ['a link in angle brackets', '[слово](</a b>)'],
    ['a link by a definition', '[слово]\n\n[слово]: /a'],
    ['a footnote with its text', 'Слово[^1]\n\n[^1]: текст'],
    ['a bare address without a scheme', 'Откройте www.example.ru'],
    ['a bare email address', 'Пишите на a@example.ru'],
    ['an address in angle brackets', '<https://example.ru>'],
    ['bold by underscores', 'Это __важно__'],
    ['a break by a backslash', 'раз\\\nдва'],
    ['an entity in a link', '[слово](/a&amp;b)'],
  ])('%s', (_, source) => {
    expect(() => html(source)).toThrow()
  })
})

test('typography is applied to the page but not to the searched text', () => {
  const { html, parts } = renderMarkdown('Осталось 58 760 — хватит.')
  expect(html).toBe('<p>Осталось 58\u202f760\u00a0— хватит.</p>')
  expect(parts).toEqual([{ heading: null, text: 'Осталось 58 760 — хватит.' }])
})

test('the text falls into parts by heading, and links are collected', () => {
  const { parts, links } = renderMarkdown(
    'Начало. [А](/help/a)\n\n## Раз\n\n- один\n- `два`\n\n| Три |\n| --- |\n| четыре |',
  )
  expect(parts.map(({ heading, text }) => [heading?.id ?? null, text])).toEqual([
    [null, 'Начало. А'],
    ['raz', 'один два Три четыре'],
  ])
  expect(links).toEqual(['/help/a'])
})
