import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { FormShell } from './form-shell.tsx'

const form = {
  form: { onSubmit: () => {} },
  fieldErrors: {},
  isDirty: false,
  isSaving: false,
  undo: () => {},
  submit: async () => {},
}

test('the back link comes first, the views between title and form (S10.242)', () => {
  render(
    <FormShell
      title="Юрист"
      back={{ label: 'Ассистенты', href: '/assistants' }}
      form={form as unknown as Parameters<typeof FormShell>[0]['form']}
      save={{ label: 'Сохранить', isNew: false }}
      views={<button type="button">Попробовать</button>}
    >
      <input aria-label="Название" />
    </FormShell>,
  )
  const order = [
    screen.getByRole('link', { name: 'Ассистенты' }),
    screen.getByRole('heading', { name: 'Юрист' }),
    screen.getByRole('button', { name: 'Попробовать' }),
    screen.getByLabelText('Название'),
  ]
  const follows = Node.DOCUMENT_POSITION_FOLLOWING
  for (const [i, each] of order.slice(1).entries()) expect(order[i]?.compareDocumentPosition(each)).toBe(follows)
})
