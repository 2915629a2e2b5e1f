import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setEnterSends } from '#web/lib/enter-setting.ts'
import { render } from '#web/testing/render.tsx'
import { closeShortcutsDialog, useShortcutsDialog } from './use-shortcuts-dialog.ts'
import { UserMenu } from './user-menu.tsx'

const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const

function Page() {
  const Sheet = useShortcutsDialog()
  return (
    <>
      <input aria-label="Поле" />
      <UserMenu user={anna} isCompact={false} />
      {Sheet && <Sheet onClose={closeShortcutsDialog} />}
    </>
  )
}

const sheet = () => screen.findByRole('dialog', { name: 'Горячие клавиши' })

test('«?» opens the list of keys, except while typing (S10.215)', async () => {
  const { user } = render(<Page />)
  await user.keyboard('{Escape}')
  await user.type(screen.getByRole('textbox', { name: 'Поле' }), '?')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(document.body)
  await user.keyboard('?')
  const keys = within(await sheet())
  expect(keys.getByText('Ctrl + Shift + O')).toBeTruthy()
  expect(keys.getByText('F2')).toBeTruthy()
  await user.click(keys.getByRole('button', { name: 'Закрыть' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the user menu opens the list, which follows the Enter setting (S10.215)', async () => {
  setEnterSends(false)
  const { user } = render(<Page />)
  await user.click(await screen.findByRole('menuitem', { name: 'Горячие клавиши' }))
  const line = within(await sheet())
    .getByText('Отправить')
    .closest('div')
  expect(line?.textContent).toContain('Shift + Enter')
  closeShortcutsDialog()
})
