import { act, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { barSlot } from '#web/ui/bar-slot.ts'
import { aThread } from './testing/threads.ts'
import { ThreadHeader } from './thread-header.tsx'

afterEach(() => barSlot.set(null))

test('on a wide screen a chat has a bar of its own', () => {
  render(<ThreadHeader thread={aThread('Отпуск')} />)
  expect(screen.getByRole('heading', { name: 'Отпуск' }).closest('header')).toBeTruthy()
})

test('on a phone its title and menu stand in the one bar of the page', async () => {
  const bar = document.body.appendChild(document.createElement('div'))
  barSlot.set(bar)
  const { user } = render(<ThreadHeader thread={aThread('Отпуск')} />)
  expect(bar.contains(screen.getByRole('heading', { name: 'Отпуск' }))).toBe(true)
  expect(bar.contains(screen.getByRole('button', { name: 'Меню чата «Отпуск»' }))).toBe(true)
  expect(document.querySelector('header')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Отпуск' }))
  expect(bar.contains(screen.getByRole('textbox', { name: 'Название чата' }))).toBe(true)
  act(() => barSlot.set(null))
  expect(screen.getByRole('textbox', { name: 'Название чата' }).closest('header')).toBeTruthy()
  bar.remove()
})
