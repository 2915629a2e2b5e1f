import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { TokenBundle } from '#contract/plans.ts'
import { render } from '#web/testing/render.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { DataTable } from './data-table.tsx'
import { RowMenu } from './row-menu.tsx'
import { useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { bundles, columns, rowSpec } from './testing/bundles.ts'

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Выбрать: ${name}` })
const allBox = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Выбрать все строки' })

function Ticked({ onDelete }: { onDelete: (names: string[]) => void }) {
  const [rows, setRows] = useState(bundles)
  const selection = useSelection(rows, rowSpec.key)
  const menu = ({ id, name }: TokenBundle) => (
    <RowMenu name={name}>
      <MenuItem onSelect={() => setRows((now) => now.filter((row) => row.id !== id))}>Удалить</MenuItem>
    </RowMenu>
  )
  return (
    <>
      <DataTable label="Пакеты" columns={columns} rows={rows} rowSpec={{ ...rowSpec, menu }} selection={selection} />
      <SelectionBar count={selection.rows.length} onClear={selection.clear}>
        <button type="button" onClick={() => onDelete(selection.rows.map(({ name }) => name))}>
          Удалить выбранные
        </button>
      </SelectionBar>
    </>
  )
}

const bar = () => screen.queryByRole('toolbar', { name: 'Действия с выбранными строками' })

test('the bar counts the ticked rows until «Снять выделение»', async () => {
  const deleted: string[][] = []
  const { user } = render(<Ticked onDelete={(rows) => deleted.push(rows)} />)
  expect(bar()).toBeNull()
  await user.click(box('Большой'))
  await user.click(box('Малый'))
  expect(screen.getByText('Выбрано 2')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Удалить выбранные' }))
  expect(deleted).toEqual([['Большой', 'Малый']])
  await user.click(screen.getByRole('button', { name: 'Снять выделение' }))
  expect(bar()).toBeNull()
  expect(box('Большой').checked).toBe(false)
})

test('the head box ticks all rows and shows a partial selection', async () => {
  const { user } = render(<Ticked onDelete={() => undefined} />)
  await user.click(box('Большой'))
  expect(allBox().indeterminate).toBe(true)
  expect(allBox().checked).toBe(false)
  await user.click(allBox())
  expect(allBox().checked).toBe(true)
  expect(allBox().indeterminate).toBe(false)
  expect(screen.getByText('Выбрано 3')).toBeTruthy()
  await user.click(allBox())
  expect(bar()).toBeNull()
})

test('Shift ticks all rows between two boxes', async () => {
  const { user } = render(<Ticked onDelete={() => undefined} />)
  await user.click(box('Средний'))
  await user.keyboard('{Shift>}')
  await user.click(box('Малый'))
  await user.keyboard('{/Shift}')
  expect(screen.getByText('Выбрано 3')).toBeTruthy()
})

test('a ticked row that left the list is not counted', async () => {
  const { user } = render(<Ticked onDelete={() => undefined} />)
  await user.click(box('Большой'))
  await user.click(box('Малый'))
  await user.click(screen.getByRole('button', { name: 'Действия: Малый' }))
  await user.click(screen.getByRole('menuitem', { name: 'Удалить' }))
  expect(screen.getByText('Выбрано 1')).toBeTruthy()
})

test('ticking a box or using a menu does not open the row', async () => {
  const { user, address } = render(<Ticked onDelete={() => undefined} />, { path: '/bundles' })
  await user.click(box('Большой'))
  await user.click(screen.getByRole('button', { name: 'Действия: Малый' }))
  await user.click(screen.getByRole('menuitem', { name: 'Удалить' }))
  expect(address()).toBe('/bundles')
})
