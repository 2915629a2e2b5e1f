import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Summary, summariesApi } from '#contract/summaries.ts'
import type { Message } from '#contract/threads.ts'
import { rejection } from '#web/testing/fake-server.ts'
import { aBalance } from '#web/testing/samples.ts'
import { openThread } from '../testing/open-thread.tsx'

/** `count` exchanges; each message has `size` symbols. */
const exchanges = (count: number, size: number): (Partial<Message> & { id: string })[] =>
  Array.from({ length: count * 2 }, (_, i) => {
    const [role, mark] = i % 2 ? (['assistant', 'a'] as const) : (['user', 'q'] as const)
    const id = `${mark}${Math.floor(i / 2) + 1}`
    return { id, role, parentId: i ? `${i % 2 ? 'q' : 'a'}${Math.ceil(i / 2)}` : null, content: 'я'.repeat(size) }
  })

const aSummary = (change: Partial<Summary> = {}): Summary => ({
  id: 'summary-1',
  coversUntil: 'a4',
  text: 'Решено купить **две** ёлки.',
  symbols: 3100,
  messages: 46,
  covered: 46_000,
  edited: false,
  stale: false,
  modelId: 'm1',
  charged: 51_000,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...change,
})

const rich = { balance: { availableTokens: 500_000 }, settings: { threadHistoryLimit: 40 } }
const long = { ...rich, messages: exchanges(5, 3000) }
const offer = () => screen.findByRole('region', { name: 'Длинная история' })
const line = (name = /^Начало чата сжато/) => screen.findByRole('button', { name })

describe('a long history', () => {
  test('is offered a summary with its price, made by a click (S10.351)', async () => {
    const { server, user, storeSummaries } = await openThread({ ...long, model: { inputRate: 1, outputRate: 2 } })
    const summary = aSummary({ messages: 8, symbols: 150 })
    server.on(summariesApi.make, () => {
      storeSummaries([summary])
      return { summary, charged: 24_100, SingleSubscription: aBalance() }
    })
    const strip = await offer()
    expect(strip.textContent).toMatch(
      /^История этого чата: 30\s000\sсимволов за каждый вопрос\. Сжать до ≈\s9\s200\? Спишется от 27\s200 до 36\s000 символов\./,
    )
    await user.click(within(strip).getByRole('button', { name: /^Сжать · до 36\s000$/ }))
    expect((await line()).textContent).toMatch(/^Начало чата сжато: 8 сообщений → 150\sсимволов$/)
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Длинная история' })).toBeNull())
    expect(server.calls(summariesApi.make)).toMatchObject([{ body: { most: 36_000 } }])
  })

  test('that is short or declined gets no offer', async () => {
    const first = await openThread({ ...rich, messages: exchanges(3, 3000) })
    expect(screen.queryByRole('region', { name: 'Длинная история' })).toBeNull()
    first.unmount()
    await openThread({ ...long, settings: { ...long.settings, threadSummaries: 'never' } })
    expect(screen.queryByRole('region', { name: 'Длинная история' })).toBeNull()
  })

  test('that does not fit into the model says so', async () => {
    await openThread({ ...long, model: { contextSymbols: 30_000, maxOutputSymbols: 5000 } })
    expect((await offer()).textContent).toMatch(/^Ранние сообщения не помещаются в модель и с вопросом не отправляются/)
  })

  test('can be left as it is', async () => {
    const { user } = await openThread(long)
    await user.click(within(await offer()).getByRole('button', { name: 'Не сейчас' }))
    expect(screen.queryByRole('region', { name: 'Длинная история' })).toBeNull()
  })

  test('with too few symbols leads to the balance', async () => {
    await openThread({ ...long, balance: { availableTokens: 5000 } })
    const strip = await offer()
    expect(within(strip).getByRole('link', { name: 'Пополнить баланс' }).getAttribute('href')).toBe('/profile#bundles')
    expect(within(strip).queryByRole('button', { name: /^Сжать/ })).toBeNull()
  })

  test('stays offered when the model fails, and the reason is shown', async () => {
    const { server, user } = await openThread(long)
    server.on(summariesApi.make, rejection('model_failed', 'Модель не ответила.'))
    await user.click(within(await offer()).getByRole('button', { name: /^Сжать/ }))
    expect(await screen.findByText(/Модель не ответила/)).toBeTruthy()
    expect(await offer()).toBeTruthy()
  })
})

describe('the line of a summary', () => {
  const summed = { ...long, summaries: [aSummary()] }

  test('stands after the messages that it replaces, and opens', async () => {
    const { user } = await openThread(summed)
    const button = await line()
    expect(button.textContent).toMatch(/^Начало чата сжато: 46 сообщений → 3\s100\sсимволов$/)
    expect(button.closest('li')?.previousElementSibling?.id).toContain('a4')
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(screen.queryByText(/Решено купить/)).toBeNull()
    await user.click(button)
    expect(await screen.findByText(/Решено купить/)).toBeTruthy()
    expect(screen.getByText(/Сжатие стоило 51\s000\sсимволов/)).toBeTruthy()
  })

  test('makes the estimate of a question smaller (S10.353)', async () => {
    const { user } = await openThread(summed)
    await line()
    await user.type(screen.getByRole('textbox', { name: 'Сообщение' }), 'Десятьбукв')
    expect((await screen.findByTitle(/^Вопрос и история/)).title).toMatch(/^Вопрос и история 9\s110/)
    expect(screen.queryByRole('region', { name: 'Длинная история' })).toBeNull()
  })

  test('is edited in place (S10.354)', async () => {
    const { server, user } = await openThread(summed)
    server.on(summariesApi.edit, ({ body }) => aSummary({ text: body.text, edited: true, symbols: 200 }))
    await user.click(await line())
    await user.click(screen.getByRole('button', { name: 'Исправить текст' }))
    const field = screen.getByRole('textbox', { name: 'Сжатое начало чата' })
    await user.clear(field)
    await user.type(field, 'Три ёлки.')
    await user.click(screen.getByRole('button', { name: 'Сохранить' }))
    expect(await screen.findByText('Три ёлки.')).toBeTruthy()
    expect(screen.getByText(/Текст исправлен вами/)).toBeTruthy()
    expect((await line()).textContent).toMatch(/200\sсимволов/)
  })

  test('is removed after a second click', async () => {
    const { server, user, storeSummaries } = await openThread(summed)
    server.on(summariesApi.remove, () => {
      storeSummaries([])
      return aSummary()
    })
    await user.click(await line())
    await user.click(screen.getByRole('button', { name: 'Убрать' }))
    expect(screen.getByText(/Убрать без возврата\?/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Убрать' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Начало чата сжато/ })).toBeNull())
    expect(await offer()).toBeTruthy()
  })

  test('is remade for the price on its button', async () => {
    const { server, user } = await openThread(summed)
    const again = aSummary({ id: 'summary-2', text: 'Заново.' })
    server.on(summariesApi.make, () => ({ summary: again, charged: 1, SingleSubscription: aBalance() }))
    await user.click(await line())
    await user.click(screen.getByRole('button', { name: /^Сжать заново · до 36\s000$/ }))
    await waitFor(() => expect(server.calls(summariesApi.make)).toMatchObject([{ body: { instead: 'summary-1' } }]))
  })

  test('of a changed beginning is unused, but can be used', async () => {
    const { server, user } = await openThread({ ...long, summaries: [aSummary({ stale: true })] })
    expect(await offer()).toBeTruthy()
    server.on(summariesApi.edit, () => aSummary())
    await user.click(await line(/^Сжатие не используется: сообщение выше изменено$/))
    await user.click(screen.getByRole('button', { name: 'Использовать как есть' }))
    expect(await line()).toBeTruthy()
  })

  test('of a newer summary hides earlier summaries', async () => {
    const older = aSummary({ id: 'summary-0', coversUntil: 'a2', messages: 4 })
    await openThread({ ...long, summaries: [aSummary(), older] })
    expect((await line()).textContent).toContain('46')
    expect(screen.getAllByRole('button', { name: /^Начало чата сжато/ })).toHaveLength(1)
  })
})

test('an answer that skipped the beginning says so (S10.355)', async () => {
  const parts = { question: 5, history: 10, historyMessages: 2, cutMessages: 4, instructions: 0, files: 0, passages: 0 }
  const cut = { id: 'a1', parentId: 'q1', role: 'assistant' as const, parts: { ...parts, personal: 0 } }
  await openThread({ messages: [{ id: 'q1' }, cut] })
  expect(screen.getByText(/В запрос не вошли 4 ранних сообщения: они не помещаются в модель\./)).toBeTruthy()
})

describe('a summary that was deleted with its messages', () => {
  const gone = aSummary({ text: '', stale: true, coversUntil: 'a4' })

  test('says so in the chat and can be remade for its price (S10.434)', async () => {
    const { server, user, storeSummaries } = await openThread({
      ...rich,
      messages: exchanges(4, 3000),
      summaries: [gone],
    })
    expect(await screen.findByText(/^Сжатое начало удалено вместе с сообщениями/)).toBeTruthy()
    const summary = aSummary({ id: 'summary-2' })
    server.on(summariesApi.make, () => {
      storeSummaries([summary])
      return { summary, charged: 18_400, SingleSubscription: aBalance() }
    })
    await user.click(await screen.findByRole('button', { name: /^Сжать заново · до / }))
    await line()
    expect(server.calls(summariesApi.make)).toMatchObject([{ body: { instead: 'summary-1' } }])
    expect(screen.queryByText(/^Сжатое начало удалено/)).toBeNull()
  })

  test('can be dismissed, and a short chat offers no other', async () => {
    const { server, user, storeSummaries } = await openThread({
      ...{ ...rich, messages: exchanges(1, 100) },
      summaries: [{ ...gone, coversUntil: 'a1' }],
    })
    server.on(summariesApi.remove, () => {
      storeSummaries([])
      return gone
    })
    expect(await screen.findByRole('button', { name: 'Понятно' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Сжать заново/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Понятно' }))
    await waitFor(() => expect(screen.queryByText(/^Сжатое начало удалено/)).toBeNull())
  })
})
