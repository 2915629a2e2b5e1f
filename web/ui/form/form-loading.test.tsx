import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { ItemNotFound } from './form-loading.tsx'

test('a missing thing is a 404 with the ways home and back (S10.1423)', () => {
  render(<ItemNotFound title="Такого проекта нет" back={{ label: 'К проектам', href: '/projects' }} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('404')
  expect(screen.getByText('Такого проекта нет')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Хочу домой' }).getAttribute('href')).toBe('/')
  expect(screen.getByRole('link', { name: 'К проектам' }).getAttribute('href')).toBe('/projects')
})
