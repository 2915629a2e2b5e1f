import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { webSearchApi } from '#contract/web-search.ts'
import { answerStream } from '#web/testing/fake-server.ts'
import { openThread } from '../testing/open-thread.tsx'

const thinker = { thinks: true, thoughtRate: 0.5 }
const source = { url: 'https://site.example/coffee', site: 'site.example', title: 'Обжарка кофе', date: null }
const citation = { n: 1, passageId: 'web-1', fileId: '', fileName: source.title, place: source.site, web: source }
const use = { query: 'обжарка', hasFound: true, price: 0, unread: [], request: { search: true, pages: [] } }
const shown = () => screen.getByRole('log').textContent?.replace(/\s/g, ' ') ?? ''

/** A page that has attached to a running answer of a model that thinks. */
async function attached() {
  const stream = answerStream()
  const running = { parentId: 'q1', role: 'assistant', modelId: 'm1', status: 'streaming', content: '' } as const
  const thread = await openThread({
    model: thinker,
    messages: [{ id: 'q1' }, { id: 'a1', ...running }],
    running: stream.response,
  })
  return { ...thread, stream }
}

test('the model is not shown as thinking during the search (S10.430)', async () => {
  const { stream } = await attached()
  await act(() => stream.send({ type: 'stage', stage: { type: 'search', query: '' } }))
  expect(await screen.findByText('Составляю поисковый запрос')).toBeTruthy()
  await act(() => stream.send({ type: 'stage', stage: { type: 'read', pages: 6 } }))
  expect(await screen.findByText('Читаю 6 страниц')).toBeTruthy()
  expect(shown()).not.toContain('Думает')
  await act(() => stream.send({ type: 'stage-end', citations: [citation], web: use }))
  await waitFor(() => expect(shown()).toContain('Думает…'))
  expect(screen.queryByText('Читаю 6 страниц')).toBeNull()
  expect(shown()).toContain('Поиск: обжарка')
})

test('citations open during the answer, and pages are listed after it (S10.430)', async () => {
  const { stream, user, server } = await attached()
  server.on(webSearchApi.quote, { ...source, n: 1, text: 'Двенадцать минут.' })
  await act(() => stream.send({ type: 'stage-end', citations: [citation], web: use }))
  await act(() => stream.send({ type: 'delta', offset: 14, text: 'Двенадцать [1]' }))
  await user.click(await screen.findByRole('button', { name: /Обжарка кофе, site.example/ }))
  expect(await screen.findByText('Двенадцать минут.')).toBeTruthy()
  expect(screen.queryByText('Источники:')).toBeNull()
})
