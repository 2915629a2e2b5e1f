import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { putRun, removeRun } from '../state/runs.ts'
import { aMessage } from '../testing/a-message.ts'
import { Thought } from './thought.tsx'
import { ThoughtText } from './thought-text.tsx'

let lastId = 0

function anAnswer(change: Partial<Message>): Message {
  lastId += 1
  return aMessage(`thinking-${lastId}`, { role: 'assistant', modelId: 'm1', content: '', ...change })
}

/** An answer that this window has been receiving for `seconds`. */
function openRunning(seconds: number, change: Partial<Message> = {}, model = aModel({ thinks: true })) {
  new FakeServer().on(modelsApi.list, [model])
  const message = anAnswer({ status: 'streaming', ...change })
  putRun(message.threadId, {
    kind: 'send',
    questionId: 'q1',
    messageId: message.id,
    isDisconnected: false,
    isBusy: false,
    isStopping: false,
    requestedAt: Date.now() - seconds * 1000 - 800,
  })
  onTestFinished(() => removeRun(message.threadId))
  const drawn = render(<Thought message={message} />)
  return { ...drawn, show: (next: Partial<Message>) => drawn.rerender(<Thought message={{ ...message, ...next }} />) }
}

const shown = () => document.body.textContent?.replace(/\s/g, ' ') ?? ''
const thoughtOf = (text: string, symbols = 0, ms: number | null = null) => ({ text, symbols, ms })

test('a thinking model counts seconds before any text comes (S10.370)', async () => {
  openRunning(34)
  // On a busy machine the counter may skip a second, but it never goes back.
  const seconds = () => Number(/Думает… (\d+) с/.exec(shown() ?? '')?.[1] ?? 0)
  await waitFor(() => expect(seconds()).toBeGreaterThanOrEqual(34))
  const first = seconds()
  await waitFor(() => expect(seconds()).toBeGreaterThan(first))
})

test('a model that does not think says nothing (S10.370)', async () => {
  const { client } = openRunning(34, {}, aModel())
  await waitFor(() => expect(client.isFetching()).toBe(0))
  expect(shown()).not.toContain('Думает')
})

test('a folded thought shows its last line, an open thought everything (S10.370)', async () => {
  const { user, show } = openRunning(3, { thought: thoughtOf('Первый шаг.\nВторой шаг') })
  const line = await screen.findByRole('button', { name: 'Думает…' })
  expect(line.getAttribute('aria-expanded')).toBe('false')
  expect(line.textContent).toContain('Второй шаг')
  expect(line.textContent).not.toContain('Первый')
  await user.click(line)
  expect(line.getAttribute('aria-expanded')).toBe('true')
  const whole = await screen.findByRole('region', { name: 'Размышления модели' })
  expect(whole.textContent).toBe('Первый шаг.\nВторой шаг')
  act(() => show({ thought: thoughtOf('Первый шаг.\nВторой шаг, третий') }))
  expect(whole.textContent).toContain('третий')
})

test('the start of the answer folds the thought and keeps the choice (S10.370)', async () => {
  const thought = thoughtOf('Первый шаг.\nВторой шаг')
  const { user, show } = openRunning(12, { thought })
  await waitFor(() => expect(shown()).toContain('Думает… 12 с'))
  act(() => show({ thought, content: 'Ответ' }))
  const line = screen.getByRole('button', { name: /^Размышления, 12/ })
  expect(line.textContent).not.toContain('Второй шаг')
  await user.click(line)
  await screen.findByRole('region', { name: 'Размышления модели' })
  act(() => show({ thought: { ...thought, symbols: 20, ms: 11_600 }, content: 'Ответ', status: 'complete' }))
  expect(screen.getByRole('region', { name: 'Размышления модели' })).toBeTruthy()
})

test('the page remembers whether a thought is folded (S10.370)', async () => {
  const message = anAnswer({ content: 'Ответ', thought: thoughtOf('Думал', 5, 1400) })
  new FakeServer().on(modelsApi.list, [])
  const { user, unmount } = render(<Thought message={message} />)
  await user.click(screen.getByRole('button', { name: /^Размышления/ }))
  unmount()
  render(<Thought message={message} />)
  expect(await screen.findByRole('region', { name: 'Размышления модели' })).toBeTruthy()
})

test('a thought hidden by the provider is only named (S10.372)', () => {
  new FakeServer().on(modelsApi.list, [])
  render(<Thought message={anAnswer({ content: 'Ответ', thought: thoughtOf('', 900, 34_000) })} />)
  expect(shown()).toContain('Размышления, 34 с · провайдер их не показывает')
  expect(screen.queryByRole('button')).toBeNull()
})

test('the thought is copied only on request (S10.373)', async () => {
  const { user } = render(<ThoughtText text="Первый шаг" isGrowing={false} />)
  await user.click(screen.getByRole('button', { name: 'Скопировать размышления' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('Первый шаг'))
  expect(screen.getByRole('button', { name: 'Скопировано' })).toBeTruthy()
})

test('a long growing thought redraws only its end (S10.374)', async () => {
  const long = 'Если поезд едет быстрее, он приедет раньше, а если медленнее, позже.\n'.repeat(1500)
  const { rerender } = render(<ThoughtText text={long} isGrowing />)
  const box = screen.getByRole('region', { name: 'Размышления модели' })
  const last = box.lastElementChild
  const changes: MutationRecord[] = []
  const observer = new MutationObserver((records) => changes.push(...records))
  observer.observe(box, { subtree: true, childList: true, characterData: true })
  act(() => rerender(<ThoughtText text={`${long}Итак,`} isGrowing />))
  await waitFor(() => expect(changes.length).toBeGreaterThan(0))
  observer.disconnect()
  expect(changes.every(({ target }) => last?.contains(target))).toBe(true)
})
