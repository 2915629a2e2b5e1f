import { expect, test } from 'vitest'
import { type Column, hiddenBelow, readChoice, shownColumns } from './columns.ts'

const column = (id: string, isExtra = false): Column<string> => ({ id, title: id, cell: (row) => row, isExtra })
const columns = [column('name'), column('price'), column('cost', true)]
const shown = (choice: Record<string, boolean>) => shownColumns(columns, choice).map(({ id }) => id)

test('columns follow their default until the user chooses', () => {
  expect(shown({})).toEqual(['name', 'price'])
  expect(shown({ price: false, cost: true })).toEqual(['name', 'cost'])
})

test('the first column cannot be hidden', () => {
  expect(shown({ name: false })).toContain('name')
})

test('a choice is read from the storage, invalid data is ignored', () => {
  expect(readChoice('{"price":false,"x":1}')).toEqual({ price: false })
  for (const text of [null, '', '[', 'null', '7', '"a"']) expect(readChoice(text)).toEqual({})
})

test('a minor column gives way in a narrow table unless chosen (S10.1558)', () => {
  const minor = { ...column('country'), isMinor: true }
  expect(hiddenBelow(minor)).toContain(':hidden')
  expect(hiddenBelow(column('name'))).toBeUndefined()
  const given = (choice: Record<string, boolean>) => shownColumns([column('name'), minor], choice).map(hiddenBelow)
  expect(given({})[1]).toContain(':hidden')
  expect(given({ country: true })).toEqual([undefined, undefined])
})
