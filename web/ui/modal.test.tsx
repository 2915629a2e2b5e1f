import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { Dialog } from './dialog.tsx'

test('a dialog opens with the focus in its first field (S10.243)', () => {
  render(
    <Dialog open onClose={() => {}} title="Письмо">
      <p>Поля</p>
      <input aria-label="Кому" />
      <input aria-label="О чём" />
    </Dialog>,
  )
  expect(document.activeElement).toBe(screen.getByLabelText('Кому'))
})

test('the page is marked while any dialog is open', () => {
  const isMarked = () => document.documentElement.hasAttribute('data-dialog')
  const dialogs = (first: boolean, second: boolean) => (
    <>
      <Dialog open={first} onClose={() => {}} title="Письмо">
        текст
      </Dialog>
      {second && (
        <Dialog open onClose={() => {}} title="Вопрос">
          текст
        </Dialog>
      )}
    </>
  )
  const { rerender } = render(dialogs(true, true))
  expect(isMarked()).toBe(true)
  rerender(dialogs(true, false))
  expect(isMarked()).toBe(true)
  rerender(dialogs(false, false))
  expect(isMarked()).toBe(false)
  rerender(dialogs(true, false))
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  dialog.close()
  fireEvent(dialog, new Event('close'))
  expect(isMarked()).toBe(false)
})

test('the page keeps its width while a dialog hides the scroll bar (S10.1530)', () => {
  Object.defineProperty(document.body, 'offsetWidth', { configurable: true, value: innerWidth - 11 })
  const room = () => document.documentElement.style.getPropertyValue('--scrollbar')
  const dialogs = (count: number) =>
    ['Письмо', 'Вопрос'].slice(0, count).map((title) => (
      <Dialog key={title} open onClose={() => {}} title={title}>
        текст
      </Dialog>
    ))
  const { rerender } = render(dialogs(1))
  expect(room()).toBe('11px')
  // The bar is gone already: a second dialog must not measure again.
  Object.defineProperty(document.body, 'offsetWidth', { configurable: true, value: innerWidth })
  rerender(dialogs(2))
  expect(room()).toBe('11px')
  Reflect.deleteProperty(document.body, 'offsetWidth')
})
