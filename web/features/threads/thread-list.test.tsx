import { screen } from '@testing-library/react'
import { Profiler } from 'react'
import { expect, test } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { type ThreadRow, threadsApi } from '#contract/threads.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { removeShell } from '#web/lib/shell.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { anAssistant } from '#web/testing/samples.ts'
import { threadsQuery } from './queries.ts'
import { TableRows } from './table-rows.tsx'
import { aThread } from './testing/threads.ts'
import { ThreadList } from './thread-list.tsx'

const quiet = { subscribe: () => () => undefined, isAnswering: () => false }

function open(rows: ThreadRow[]) {
  const server = new FakeServer().on(threadsApi.list, rows)
  return { server, show: () => render(<ThreadList answering={quiet} />) }
}

test('only chats of the same name show their first words (S10.214)', async () => {
  open([
    { ...aThread('one', { title: 'Залог' }), firstWords: 'Сколько составляет залог?' },
    { ...aThread('two', { title: 'Залог' }), firstWords: 'Можно ли вернуть залог?' },
    aThread('three', { title: 'Отпуск' }),
  ]).show()
  const [first, second] = await screen.findAllByRole('link', { name: 'Залог' })
  expect(first?.textContent).toMatch(/Сколько составляет залог\?$/)
  expect(second?.title).toMatch(/Можно ли вернуть залог\?$/)
  expect(screen.getByRole('link', { name: 'Отпуск' }).textContent).toBe('Отпуск')
})

test('the page of chats distinguishes equal names too', () => {
  const rows = [
    { ...aThread('one', { title: 'Залог' }), firstWords: 'Сколько составляет залог?' },
    aThread('three', { title: 'Отпуск' }),
  ]
  render(<TableRows view="active" rows={rows} />)
  const [first, second] = screen.getAllByRole('listitem')
  expect(first?.textContent).toMatch(/^Залог.+ · Сколько составляет залог\?$/)
  expect(second?.textContent).not.toContain('·')
})

test('a chat with an assistant has its sign (S10.214)', async () => {
  const { server, show } = open([aThread('one', { title: 'Залог', assistantId: 'lawyer' }), aThread('two')])
  server.on(assistantsApi.list, [anAssistant({ id: 'lawyer', name: 'Юрист', avatar: '⚖️' })])
  show()
  expect(await screen.findByText('⚖️')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Залог' }).title).toBe('Залог\nАссистент «Юрист»')
  expect(server.calls(assistantsApi.list)).toHaveLength(1)
})

test('assistants are requested only when the list needs them', async () => {
  const { server, show } = open([aThread('one')])
  show()
  await screen.findByRole('link', { name: 'one' })
  expect(server.calls(assistantsApi.list)).toEqual([])
})

test('a list opened after the start has its chats at once (S10.1002)', () => {
  const client = createQueryClient()
  const items = [aThread('one', { title: 'Залог' })]
  client.setQueryData(threadsQuery('active').queryKey, { pages: [{ items, nextCursor: null }], pageParams: [null] })
  removeShell()
  const shown: number[] = []
  const onRender = () => shown.push(screen.queryAllByRole('link', { name: 'Залог' }).length)
  new FakeServer().on(threadsApi.list, items)
  render(
    <Profiler id="list" onRender={onRender}>
      <ThreadList answering={quiet} />
    </Profiler>,
    { client },
  )
  expect(shown[0]).toBe(1)
})
