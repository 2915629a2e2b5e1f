import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { NewPasswordForm, PasswordField } from './password-field.tsx'

function Sample({ onSubmit }: { onSubmit: () => void }) {
  const [value, setValue] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <PasswordField label="Пароль" value={value} onChange={setValue} />
    </form>
  )
}

const eye = () => screen.getByRole('button', { name: 'Показать введённое' })

test('the eye shows the password and keeps focus and caret (S10.176)', async () => {
  const onSubmit = vi.fn()
  const { user } = render(<Sample onSubmit={onSubmit} />)
  const field = screen.getByLabelText<HTMLInputElement>('Пароль')
  await user.type(field, 'secret phrase')
  field.setSelectionRange(3, 5)
  expect(field.type).toBe('password')
  await user.click(eye())
  expect([field.type, eye().getAttribute('aria-pressed')]).toEqual(['text', 'true'])
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['secret phrase', 3, 5])
  expect(document.activeElement).toBe(field)
  await user.click(eye())
  expect([field.type, eye().getAttribute('aria-pressed')]).toEqual(['password', 'false'])
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a form that sets a password has it too', () => {
  const call = { isPending: false, errors: {} }
  render(<NewPasswordForm call={call} label="Новый пароль" submit="Сохранить" onSubmit={() => undefined} />)
  expect(eye()).toBeTruthy()
})
