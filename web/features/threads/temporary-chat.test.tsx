import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { threadsApi } from '#contract/threads.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { threadsQuery } from './queries.ts'
import { TemporaryTools } from './temporary-chat.tsx'
import { aThread } from './testing/threads.ts'
import { listedIds, storeThread } from './thread-cache.ts'
import { ThreadHeader } from './thread-header.tsx'

const thread = { ...aThread('Временный чат'), id: 't1', currentLeafId: 'a1', temporary: true }

function open() {
  const client = createQueryClient()
  client.setQueryData(threadsQuery('active').queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [null] })
  const server = new FakeServer()
    .on(threadsApi.update, { ...thread, temporary: false, title: 'Новый чат', version: thread.version + 1 })
    .on(threadsApi.rename, 'Подарок маме')
    .on(threadsApi.delete, thread)
  const onEnd = vi.fn()
  return { server, onEnd, ...render(<TemporaryTools thread={thread} onEnd={onEnd} />, { client, path: '/threads/t1' }) }
}

test('a temporary chat is listed only after it is saved (S10.230)', async () => {
  const { server, user, client } = open()
  storeThread(client, thread)
  expect(listedIds(client)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Сохранить чат' }))
  expect(await screen.findByText('Чат сохранён и есть в списке')).toBeTruthy()
  expect(server.calls(threadsApi.update).map(({ body }) => body)).toEqual([{ temporary: false }])
  expect(listedIds(client)).toEqual([thread.id])
  await waitFor(() => expect(server.calls(threadsApi.rename)).toHaveLength(1))
})

test('an ended temporary chat is closed and deleted at once (S10.229)', async () => {
  const { server, user, address, onEnd } = open()
  await user.click(screen.getByRole('button', { name: 'Закончить чат' }))
  expect(address()).toBe('/')
  expect(await screen.findByText('Временный чат удалён')).toBeTruthy()
  expect(server.calls(threadsApi.delete)).toHaveLength(1)
  expect(onEnd).toHaveBeenCalledOnce()
})

test('the chat opens again when ending it fails', async () => {
  const { server, user, address, onEnd } = open()
  server.on(threadsApi.delete, rejection('internal', 'Сломалось'))
  await user.click(screen.getByRole('button', { name: 'Закончить чат' }))
  await waitFor(() => expect(address()).toBe(`/threads/${thread.id}`))
  expect(onEnd).not.toHaveBeenCalled()
})

test('a temporary chat has no menu to share, pin or archive (S10.228)', () => {
  render(<ThreadHeader thread={thread} />)
  expect(screen.queryByRole('button', { name: /^Меню чата/ })).toBeNull()
})
