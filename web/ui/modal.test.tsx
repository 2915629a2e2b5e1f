import { screen } from '@testing-library/react'
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
