import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { ConsentStrip } from './consent-strip.tsx'

const analytics = { url: 'https://stat.example/e', yandexMetrikaId: null }
afterEach(() => localStorage.clear())

test('the question about statistics has room of its own (S10.1431)', () => {
  render(<ConsentStrip />, { config: { analytics } })
  const strip = screen.getByRole('region', { name: 'Статистика посещений' })
  expect(strip.className).not.toMatch(/\b(fixed|absolute|sticky)\b/)
})

test('an answer ends the question (S10.1431)', async () => {
  const { user } = render(<ConsentStrip />, { config: { analytics } })
  await user.click(screen.getByRole('button', { name: 'Не считать' }))
  expect(screen.queryByRole('button')).toBeNull()
})
