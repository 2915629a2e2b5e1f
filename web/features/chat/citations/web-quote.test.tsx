import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type WebQuote, webSearchApi } from '#contract/web-search.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { StageSign, WebNote } from '../messages/web-note.tsx'
import { CitedAnswer } from './cited-answer.tsx'

const source = { url: 'https://site.example/coffee', site: 'site.example', title: 'Обжарка кофе', date: '2026-03-05' }
const quote: WebQuote = { ...source, n: 1, text: 'Зерно обжаривают двенадцать минут.' }
const cited = (n: number, change = {}) => {
  const web = { ...source, ...change }
  return { n, passageId: `web-${n}`, fileId: '', fileName: web.title, place: web.site, web }
}
const other = cited(3, { url: 'https://tea.example/', title: 'Чай', site: 'tea.example' })

function open(text = 'Двенадцать минут [1], или больше [2].') {
  return render(
    <CitedAnswer
      text={text}
      citations={[cited(1), cited(2), other]}
      message={{ id: 'a1', threadId: 't1' }}
      isStreaming={false}
    >
      <LazyMarkdown text={text} isStreaming={false} />
    </CitedAnswer>,
  )
}

test('a number opens the quote and leads to its page (S10.320)', async () => {
  const server = new FakeServer().on(webSearchApi.quote, quote)
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: /Обжарка кофе, site.example/, description: '' }))
  const dialog = await screen.findByRole('dialog', { name: 'Обжарка кофе' })
  expect(await within(dialog).findByText('Зерно обжаривают двенадцать минут.')).toBeTruthy()
  expect(within(dialog).getByText('site.example · 5 марта 2026 г.')).toBeTruthy()
  const link = within(dialog).getByRole('link', { name: 'Открыть страницу' })
  expect({
    href: link.getAttribute('href'),
    target: link.getAttribute('target'),
    rel: link.getAttribute('rel'),
  }).toEqual({
    href: 'https://site.example/coffee',
    target: '_blank',
    rel: 'noopener noreferrer',
  })
  expect(server).toBeTruthy()
})

test('only the pages that the answer cites are listed, each once (S10.320)', async () => {
  new FakeServer()
  open()
  const list = (await screen.findByText('Источники:')).closest('p') as HTMLElement
  expect(
    within(list)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Обжарка кофе, site.example'])
})

const request = { search: true, pages: ['https://closed.example/'] }

test('a failed search says so, and unread pages are named (S10.318)', () => {
  render(<WebNote web={{ query: 'кофе', hasFound: false, price: 0, unread: ['https://closed.example/'], request }} />)
  expect(screen.getByText('Поиск не удался: ответ дан по памяти модели')).toBeTruthy()
  expect(screen.getByText('Страница не прочитана: https://closed.example/')).toBeTruthy()
})

test('the current stage is announced', () => {
  const { rerender } = render(<StageSign stage={{ type: 'search', query: 'обжарка кофе' }} />)
  expect(screen.getByRole('status').textContent).toBe('Ищу: обжарка кофе')
  rerender(<StageSign stage={{ type: 'words' }} />)
  expect(screen.getByText('Подбираю слова для поиска по файлам')).toBeTruthy()
  rerender(<StageSign stage={{ type: 'read', pages: 5 }} />)
  expect(screen.getByRole('status').textContent).toBe('Читаю 5 страниц')
})
