import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import type { Transaction } from '#contract/transactions.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aTransaction, inputParts } from '#web/testing/samples.ts'
import { OperationRow } from './operation-row.tsx'

const show = (change: Partial<Transaction>) => {
  new FakeServer().on(modelsApi.list, () => [])
  render(<OperationRow operation={aTransaction(change)} />)
}
const lines = () => screen.getAllByRole('term').map((term) => `${term.textContent} ${term.nextSibling?.textContent}`)

test('an operation names its chat and the parts of its request (S10.1451, S10.1452)', () => {
  const parts = inputParts({ question: 48, instructions: 278, passages: 9810 })
  show({ subject: 'Договор аренды', inputParts: parts, input: 10_136, output: 5, symbols: -10_149 })
  expect(screen.getByText(/^Договор аренды · /)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Открыть чат «Договор аренды»' })).toBeTruthy()
  expect(lines().map((line) => line.replace(/\s/g, ' '))).toEqual([
    'Вопрос 48',
    'Инструкции ассистента 278',
    'Выдержки из файлов ассистента 9 810',
    'Ответ 5',
  ])
})

test('an operation of a deleted chat has no link (S10.1451)', () => {
  show({ subject: null })
  expect(screen.queryByRole('link', { name: /Открыть чат/ })).toBeNull()
})
