import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { threadsApi } from '#contract/threads.ts'
import { rejection } from '#web/testing/fake-server.ts'
import { openThread } from '../testing/open-thread.tsx'

/** jsdom has no layout and no highlights of ranges. */
const painted = new Map<string, string[]>()

beforeEach(() => {
  painted.clear()
  vi.stubGlobal(
    'Highlight',
    class extends Set<Range> {
      constructor(...ranges: Range[]) {
        super(ranges)
      }
    },
  )
  const set = (name: string, ranges: Set<Range>) => painted.set(name, [...ranges].map(String))
  vi.stubGlobal('CSS', { ...CSS, highlights: { set } })
  vi.stubGlobal('scrollBy', () => undefined)
  const box = () => ({ top: 300, bottom: 310 }) as DOMRect
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(box)
  Range.prototype.getBoundingClientRect = box
})

const messages = [
  { id: 'q1', content: 'Где счёт?' },
  { id: 'a1', parentId: 'q1', role: 'assistant' as const, content: 'Счет здесь. **Сч**ёт и `счет`. Не расчёт.' },
  { id: 'q2', parentId: 'a1', content: 'Спасибо' },
]
const current = () => painted.get('found-current')
const counted = (label: string) =>
  screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === label)
const field = () => screen.findByRole('textbox', { name: 'Найти в чате' })

test('Ctrl+F finds words in the chat, place by place (S10.1492)', async () => {
  const { server, user } = await openThread({ messages })
  server.on(threadsApi.find, ['q1', 'a1'])
  await user.keyboard('{Control>}f{/Control}')
  await user.type(await field(), 'счет')
  expect(await counted('Сообщение 1 из 2')).toBeTruthy()
  await waitFor(() => expect(current()).toEqual(['счёт']))
  await waitFor(() => expect(painted.get('found')).toEqual(['счёт', 'Счет', 'Счёт', 'счет', 'счёт']))
  await user.keyboard('{Enter}')
  expect(await counted('Сообщение 2 из 2')).toBeTruthy()
  await waitFor(() => expect(current()).toEqual(['Счет']))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(current()).toEqual(['Счёт']))
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  await waitFor(() => expect(current()).toEqual(['Счет']))
  await user.click(screen.getByRole('button', { name: 'Предыдущее совпадение' }))
  expect(await counted('Сообщение 1 из 2')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Предыдущее совпадение' }))
  expect(await counted('Сообщение 2 из 2')).toBeTruthy()
  await waitFor(() => expect(current()).toEqual(['счёт']))
  expect(server.calls(threadsApi.find).map((call) => call.query.query)).toEqual(['счет'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('textbox', { name: 'Найти в чате' })).toBeNull()
  expect(painted.get('found')).toEqual([])
})

test('a long question unfolds where its words are found (S10.1492)', async () => {
  const { server, user } = await openThread({ messages: [{ id: 'q1', content: `${'строка\n'.repeat(60)}счёт` }] })
  server.on(threadsApi.find, ['q1'])
  await user.keyboard('{Control>}f{/Control}')
  await user.type(await field(), 'счет')
  expect(await screen.findByRole('button', { name: 'Свернуть' })).toBeTruthy()
})

test('nothing found and a failed search say so (S10.1492)', async () => {
  const { server, user } = await openThread({ messages })
  server.on(threadsApi.find, [])
  await user.keyboard('{Control>}f{/Control}')
  await user.type(await field(), 'слон')
  expect(await screen.findByText('Нет совпадений')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Следующее совпадение' }).disabled).toBe(true)
  server.on(threadsApi.find, rejection('not_found', 'У вас нет беседы с таким ID'))
  await user.type(await field(), 'ы')
  expect(await screen.findByText(/У вас нет беседы/)).toBeTruthy()
})
