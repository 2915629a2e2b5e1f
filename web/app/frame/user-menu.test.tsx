import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { UserMenu } from './user-menu.tsx'

test.each([
  ['Профиль', '/profile'],
  ['Пополнить', '/profile#bundles'],
])('«%s» in the user menu opens %s (S10.178)', async (name, path) => {
  const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const
  const { user, address } = render(<UserMenu user={anna} isCompact={false} />)
  await user.click(await screen.findByRole('menuitem', { name }))
  expect(address()).toBe(path)
})

test('the user menu has two links, the theme and the way out (S10.1535)', async () => {
  const anna = { id: '1', email: 'anna@mail.ru', name: 'Анна', image: null, role: 'user', impersonated: false } as const
  render(<UserMenu user={anna} isCompact={false} />)
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Профиль', 'Пополнить', 'Горячие клавиши', 'Выйти'])
  expect(screen.getAllByRole('menuitemradio')).toHaveLength(3)
})
