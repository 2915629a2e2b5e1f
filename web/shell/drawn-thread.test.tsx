import { expect, test } from 'vitest'
import { unsavedThread } from '#web/features/chat/state/thread-data.ts'
import { aMessage } from '#web/features/chat/testing/a-message.ts'
import { drawThread } from './drawn-thread.tsx'

const answer = (content: string) => aMessage('a', { role: 'assistant', content })
const draw = (contents: string[], { hasOlder = false, temporary = false } = {}) => {
  const Messages = contents.map((content, i) =>
    aMessage(`m${i}`, { role: i % 2 === 0 ? 'user' : 'assistant', content }),
  )
  return drawThread({ ...unsavedThread('t1', 'u1', null, temporary), title: 'Чай <b>', Messages }, hasOlder)
}
const html = (text: string) => {
  const template = document.createElement('template')
  template.innerHTML = text
  return template.content
}

test('the last messages are drawn as the page draws them (S10.727)', () => {
  const drawn = html(draw(['Какой чай?', '# Чай\n\n- **зелёный**\n\n```js\nlet x = 1\n```']))
  expect(drawn.querySelector('header')?.textContent).toBe('Чай <b>')
  expect([...drawn.querySelectorAll('[data-slot="rows"] > li')].map(({ textContent }) => textContent)).toEqual([
    'Какой чай?',
    'ЧайзелёныйJavaScriptКопироватьlet x = 1',
  ])
  expect(drawn.querySelector('li h3 + ul strong')?.textContent).toBe('зелёный')
})

test('a text cannot bring elements of its own (S10.727)', () => {
  const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) </template><script>alert(1)</script>'
  const drawn = html(draw([evil, evil]))
  expect(drawn.querySelectorAll('img, script, template, [onerror], a')).toHaveLength(0)
  expect(drawn.textContent).toContain('</template><script>alert(1)</script>')
})

test('of a long chat only the end is drawn, from whole paragraphs (S10.727)', () => {
  const paragraphs = Array.from({ length: 300 }, (_, i) => `Абзац ${i} из многих слов о чае и воде.`).join('\n\n')
  const drawn = html(draw(['Вопрос', paragraphs], { hasOlder: true }))
  const shown = [...drawn.querySelectorAll('li p')].map(({ textContent }) => textContent ?? '')
  expect(shown.length).toBeLessThan(120)
  expect(shown.every((text) => /^Абзац \d+ из многих слов о чае и воде\.$/.test(text))).toBe(true)
  expect(shown.at(-1)).toContain('Абзац 299')
})

test('what would stand at another place is not drawn (S10.727)', () => {
  expect(draw(['Вопрос', 'Короткий ответ'], { hasOlder: true })).toBe('')
  expect(draw(['Вопрос'], { temporary: true })).toBe('')
  expect(draw([])).toBe('')
  const code = `\`\`\`\n${'x = 1\n\n'.repeat(2000)}\`\`\``
  expect(draw(['Вопрос', code])).toBe('')
  expect(drawThread({ ...unsavedThread('t1', 'u1', null), Messages: [answer('x'.repeat(6000))] }, false)).toBe('')
})

test('what would hold up the server is left to the page (S10.1261)', () => {
  const table = `|${'|'.repeat(245)}\n|${'-|'.repeat(245)}\n${'a\n'.repeat(2000)}`
  expect(draw(['Вопрос', table])).toBe('')
  expect(draw(['Вопрос', '> '.repeat(2400)])).toBe('')
  expect(draw(['Вопрос', Array.from({ length: 250 }, (_, n) => `[^${n}]: [^${n + 1}]`).join('\n')])).toBe('')
  expect(draw(['Вопрос', '| a | b |\n|---|---|\n'.concat('| Чай | Зелёный |\n'.repeat(60))])).toContain('<table>')
})

test('HTML of more than 200 kB is not sent (S10.1261)', () => {
  const text = `[a]: http://b.c/${'x'.repeat(900)}\n\n${'[a] '.repeat(350)}`
  expect(draw(['Вопрос', text])).toBe('')
  expect(draw(['Вопрос', text.slice(0, 1500)]).length).toBeGreaterThan(100_000)
})
