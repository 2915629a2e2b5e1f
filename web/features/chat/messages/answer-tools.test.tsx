import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Model, modelsApi } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, inputParts } from '#web/testing/samples.ts'
import { aMessage } from '../testing/a-message.ts'
import { Cost } from './answer-tools.tsx'

const parts = inputParts({ question: 100, history: 900, historyMessages: 4 })

function anAnswer(change: Partial<Message> = {}): Message {
  return aMessage('a1', {
    role: 'assistant',
    modelId: 'm1',
    input: 1000,
    output: 250,
    charged: 1500,
    parts,
    ...change,
  })
}

async function open(message: Message, model: Model = aModel()) {
  new FakeServer().on(modelsApi.list, [model])
  const drawn = render(<Cost message={message} />)
  await drawn.user.click(screen.getByRole('button'))
  const dialog = await screen.findByRole('dialog', { name: 'Из чего сложилась цена' })
  if (message.charged > 0) await within(dialog).findByText(new RegExp(`· ${model.name}`))
  return { ...drawn, dialog }
}

function lines(dialog: HTMLElement) {
  const texts = (role: string) =>
    within(dialog)
      .getAllByRole(role)
      .map(({ textContent }) => textContent?.replace(/\s/g, ' '))
  const figures = texts('definition')
  return texts('term').map((name, i) => `${name}: ${figures[i]}`)
}
const textOf = (element: HTMLElement) => element.textContent?.replace(/\s/g, ' ') ?? ''

test('a running answer has no price yet', () => {
  render(<Cost message={anAnswer({ status: 'streaming' })} />)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a click on the price opens its parts and the formula', async () => {
  const { dialog } = await open(anAnswer())
  expect(lines(dialog)).toEqual(['Вопрос: 100', 'История: 4 сообщения: 900', 'Ответ: 250'])
  expect(textOf(dialog)).toContain('Списано 1 500 символов · Умная')
  expect(textOf(dialog)).toContain('1 000 × 1 + 250 × 2 = 1 500')
})

test('assistant and files have separate lines, empty parts are hidden', async () => {
  const withFiles = {
    ...parts,
    history: 0,
    historyMessages: 0,
    instructions: 300,
    passages: 500,
    personal: 0,
    files: 100,
  }
  const { dialog } = await open(anAnswer({ parts: withFiles }))
  expect(lines(dialog)).toEqual([
    'Вопрос: 100',
    'Инструкции ассистента: 300',
    'Выдержки из файлов ассистента: 500',
    'Файлы: 100',
    'Ответ: 250',
  ])
})

test('the lines before the answer add up to the input', async () => {
  const { dialog } = await open(anAnswer({ input: 2500, charged: 3000 }))
  expect(lines(dialog)).toEqual(['Вопрос: 100', 'История: 4 сообщения: 900', 'Прежние запросы: 1 500', 'Ответ: 250'])
})

test('no formula is shown when the rates have changed', async () => {
  const { dialog } = await open(anAnswer(), aModel({ inputRate: 5 }))
  expect(textOf(dialog)).not.toContain('×')
  expect(within(dialog).getByText('Цена посчитана по коэффициентам модели в день ответа.')).toBeTruthy()
})

test('messages left out of the prompt are mentioned', async () => {
  const { dialog } = await open(anAnswer({ parts: { ...parts, cutMessages: 3 } }))
  expect(textOf(dialog)).toContain('В запрос не вошли 3 ранних сообщения: они не помещаются в модель.')
})

test('a failed answer is free and says so', async () => {
  const { dialog } = await open(anAnswer({ status: 'failed', charged: 0 }))
  expect(screen.getByRole('button', { name: 'Бесплатно', hidden: true })).toBeTruthy()
  expect(textOf(dialog)).toContain('За этот ответ ничего не списано: неудавшийся ответ бесплатный.')
  expect(within(dialog).queryByRole('term')).toBeNull()
})

test('an early free stop shows its number of the day', async () => {
  const { dialog } = await open(anAnswer({ status: 'stopped', charged: 0, earlyStop: { charged: 0, free: 2 } }))
  expect(textOf(dialog)).toContain('ответ остановлен до первого слова. Бесплатная остановка 2 из 3 за сегодня.')
})

test('an image has a fixed price for any description', async () => {
  const drawing = aModel({ kind: 'image', imagePrice: 300, name: 'Художник' })
  const { dialog } = await open(anAnswer({ charged: 300 }), drawing)
  expect(textOf(dialog)).toContain('Списано 300 символов · Художник')
  expect(within(dialog).getByText('Цена одного изображения. Длина описания на неё не влияет.')).toBeTruthy()
  expect(within(dialog).queryByRole('term')).toBeNull()
})

test('Esc closes the breakdown and returns the focus to the price', async () => {
  const { user } = await open(anAnswer())
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button')))
})

test('the breakdown links to the page that explains how symbols are counted', async () => {
  const { dialog } = await open(anAnswer())
  const link = within(dialog).getByRole('link', { name: 'Как считаются символы' })
  expect(link.getAttribute('href')).toBe('/help/money/how-symbols-are-counted')
})
