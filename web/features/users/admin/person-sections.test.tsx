import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { UserCard } from '#contract/users-admin.ts'
import { render } from '#web/testing/render.tsx'
import { CountsSection } from './person-sections.tsx'

const none = { threads: 0, messages: 0, assistants: 0, prompts: 0 }
const bytes = { fileBytes: 0, imageBytes: 0, recordings: 2, recordingBytes: 2048 }

test('a part without entries has no size (S10.242)', () => {
  render(<CountsSection user={{ counts: { ...none, ...bytes, files: 0, images: 0 } } as UserCard} />)
  expect(screen.getByText('Файлы').nextElementSibling?.textContent).toBe('нет')
  expect(screen.getByText('Изображения').nextElementSibling?.textContent).toBe('нет')
  expect(screen.getByText('Записи').nextElementSibling?.textContent?.replace(/\s/g, ' ')).toBe('2, 2 КБ')
})
