import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CitationsProvider } from './citations.ts'
import { Markdown } from './markdown.tsx'

const citations = { name: (n: number) => (n < 3 ? `договор.pdf, стр. ${n}` : null), open: () => undefined }
const show = (text: string, isStreaming = false) =>
  renderToStaticMarkup(
    <CitationsProvider value={citations}>
      <Markdown text={text} isStreaming={isStreaming} />
    </CitationsProvider>,
  )

test('a number with a source is a button that names it', () => {
  expect(show('Плата 40 000 [1].')).toContain('aria-label="Источник 1: договор.pdf, стр. 1"')
  expect(show('- **Срок [2]**\n- год', true)).toContain('Источник 2')
})

test('a number without a source, code and plain answers stay unchanged', () => {
  expect(show('Так [7].')).toContain('Так [7].')
  expect(show('`a[1]`')).toContain('<code>a[1]</code>')
  expect(renderToStaticMarkup(<Markdown text="Так [1]." />)).toContain('Так [1].')
})
