import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { type Lazy, lazy, useLazy } from './lazy.tsx'

function Word({ source }: { source: Lazy<string> }) {
  return useLazy(source) ?? 'ещё нет'
}

function mount(source: Lazy<string>) {
  const element = document.createElement('div')
  const root = createRoot(element)
  flushSync(() => root.render(<Word source={source} />))
  return { element, unmount: () => root.unmount() }
}

test('a part is loaded once and then available at once', async () => {
  const fetch = vi.fn(async () => 'есть')
  const source = lazy(fetch)
  const [first, second] = [mount(source), mount(source)]
  expect(first.element.textContent).toBe('ещё нет')
  await vi.waitFor(() => expect(second.element.textContent).toBe('есть'))
  const third = mount(source)
  expect(third.element.textContent).toBe('есть')
  expect(fetch).toHaveBeenCalledOnce()
  for (const { unmount } of [first, second, third]) unmount()
})

test('a failed part is tried again when the connection is back', async () => {
  const fetch = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('есть')
  const { element, unmount } = mount(lazy(fetch))
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce())
  await new Promise((resolve) => setTimeout(resolve))
  expect(element.textContent).toBe('ещё нет')
  dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(element.textContent).toBe('есть'))
  unmount()
})
