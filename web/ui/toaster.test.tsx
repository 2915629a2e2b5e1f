import { act, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { message, notify } from '#web/lib/notify.ts'
import { Toaster } from './toaster.tsx'

/** The time that the toaster takes to remove what it no longer shows. */
const LEAVING_MS = 400

test('a message stays for 3000 ms, a notice longer (S9.19)', async () => {
  render(<Toaster />)
  await act(() => import('sonner'))
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  message.success('Скопировано')
  notify.info({ title: 'Вышла новая версия' })
  await pass(50)
  await pass(2900)
  expect(screen.getByText('Скопировано').closest('li')?.dataset.removed).toBe('false')
  await pass(100 + LEAVING_MS)
  expect(screen.queryByText('Скопировано')).toBeNull()
  expect(screen.getByText('Вышла новая версия')).toBeTruthy()
})
