import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { Message } from '#contract/threads.ts'
import { answerStream } from '#web/testing/fake-server.ts'
import { openThread } from '../testing/open-thread.tsx'

const thinker = { thinks: true, thoughtRate: 0.5 }
const use = { query: 'обжарка', hasFound: true, price: 0, unread: [], request: { search: true, pages: [] } }
const shown = () => screen.getByRole('log').textContent?.replace(/\s/g, ' ') ?? ''

const request = { search: true, pages: ['https://site.example/coffee'] }
const answered = (web: Message['web']) => [
  { id: 'q1', content: 'Что там? https://site.example/coffee' },
  { id: 'a1', parentId: 'q1', role: 'assistant' as const, content: 'Ответ', modelId: 'm1', web },
]

test.each([
  ['searched and read', { ...use, request }, { web: true, pages: request.pages }],
  [
    'stopped before it had read',
    { ...use, query: null, request, pending: true as const },
    { web: true, pages: request.pages },
  ],
  ['without the web', null, {}],
])('an answer that was %s is repeated in the same way (S10.431)', async (_, web, body) => {
  const stream = answerStream()
  const { user, server } = await openThread({
    model: thinker,
    messages: answered(web),
    config: { webSearch: { price: 1500 } },
  })
  server.on(answersApi.regenerate, () => stream.response)
  await user.click(await screen.findByRole('button', { name: /^Ответить заново(?! другой)/ }))
  await waitFor(() => expect(server.calls(answersApi.regenerate)[0]?.body).toEqual(body))
  // The model is not called before the pages are read.
  expect(shown().includes('Думает')).toBe(web === null)
})
