import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/threads.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { threadQuery } from '#web/features/chat/queries.ts'
import { aThread as aChat, aMessage } from '#web/features/chat/testing/a-message.ts'
import { render } from '#web/testing/render.tsx'
import { mobileBarSlot } from '#web/ui/mobile-bar-slot.ts'
import { aThread } from './testing/threads.ts'
import { ThreadHeader } from './thread-header.tsx'

afterEach(() => mobileBarSlot.set(null))

test('on a wide screen a chat has its own bar', () => {
  render(<ThreadHeader thread={aThread('Отпуск')} />)
  expect(screen.getByRole('heading', { name: 'Отпуск' }).closest('header')).toBeTruthy()
})

test('on a phone the page bar has the title and menu (S10.182)', async () => {
  const bar = document.body.appendChild(document.createElement('div'))
  mobileBarSlot.set(bar)
  const { user } = render(<ThreadHeader thread={aThread('Отпуск')} />)
  expect(bar.contains(screen.getByRole('heading', { name: 'Отпуск' }))).toBe(true)
  expect(bar.contains(screen.getByRole('button', { name: 'Меню чата «Отпуск»' }))).toBe(true)
  expect(document.querySelector('header')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Отпуск' }))
  expect(bar.contains(screen.getByRole('textbox', { name: 'Название чата' }))).toBe(true)
  act(() => mobileBarSlot.set(null))
  expect(screen.getByRole('textbox', { name: 'Название чата' }).closest('header')).toBeTruthy()
  bar.remove()
})

/** The menu of a chat that is open on the screen, and the addresses of the files that were saved. */
async function openMenu(thought: Message['thought']) {
  const thread = aThread('Отпуск')
  const client = createQueryClient()
  const answer = aMessage('a1', { role: 'assistant', thought })
  client.setQueryData(threadQuery(client, thread.id).queryKey, { ...aChat([answer]), id: thread.id })
  const saved: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    saved.push(url)
    return new Response('файл')
  })
  URL.createObjectURL = () => 'blob:1'
  URL.revokeObjectURL = () => undefined
  const { user } = render(<ThreadHeader thread={thread} />, { client })
  await user.click(screen.getByRole('button', { name: 'Меню чата «Отпуск»' }))
  expect(await screen.findByRole('menuitem', { name: 'Скачать в Markdown' })).toBeTruthy()
  return { user, saved }
}

test('a chat is saved with its thoughts on request (S10.433)', async () => {
  const { user, saved } = await openMenu({ text: 'Сначала так', symbols: 11, ms: 10 })
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Добавлять размышления в файл' }))
  expect(
    screen.getByRole('menuitemcheckbox', { name: 'Добавлять размышления в файл' }).getAttribute('aria-checked'),
  ).toBe('true')
  await user.click(screen.getByRole('menuitem', { name: 'Скачать в Markdown' }))
  await waitFor(() => expect(saved.at(-1)).toMatch(/export\?format=md&thoughts=1$/))
})

test('a chat without visible thoughts has no such choice', async () => {
  const { user, saved } = await openMenu({ text: '', symbols: 900, ms: 10 })
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Добавлять размышления в файл' })).toBeNull()
  await user.click(screen.getByRole('menuitem', { name: 'Скачать в Markdown' }))
  await waitFor(() => expect(saved.at(-1)).toMatch(/export\?format=md$/))
})
