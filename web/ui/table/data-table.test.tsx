import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { bundlesApi, type TokenBundle } from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { tableParams, useUrlState } from '#web/lib/url-state.ts'
import { FakeServer, later, refusal } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import type { Column } from './column.ts'
import { DataTable } from './data-table.tsx'
import { LocalList } from './local-list.tsx'
import { BY_HAND } from './local-rows.ts'
import type { RowKind } from './row-kind.ts'
import { RowMenu } from './row-menu.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'

const aBundle = (name: string, symbols: number): TokenBundle => ({
  id: name.toLowerCase(),
  name,
  symbols,
  price: 500,
  currency: 'BYN',
  active: true,
  position: 0,
})
const bundles = [aBundle('Средний', 500), aBundle('Большой', 1000), aBundle('Малый', 50)]

const columns: Column<TokenBundle>[] = [
  { id: 'name', title: 'Название', isSortable: true, cell: ({ name }) => name },
  { id: 'symbols', title: 'Символы', isSortable: true, isFigure: true, cell: ({ symbols }) => symbols },
  { id: 'note', title: 'Заметка', cell: () => null },
  { id: 'currency', title: 'Валюта', isExtra: true, cell: ({ currency }) => currency },
]
const kind: RowKind<TokenBundle> = {
  key: ({ id }) => id,
  name: ({ name }) => name,
  href: ({ id }) => `/bundles/${id}`,
}

const table = () => screen.getByRole('table', { name: 'Пакеты' })
const bodyRows = () => within(table()).getAllByRole('row').slice(1)
const names = () =>
  within(table())
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const header = (title: string) => screen.getByRole('columnheader', { name: title })
const link = (name: string) => screen.getByRole('link', { name })
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Выбрать: ${name}` })
const allBox = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Выбрать все строки' })

const params = tableParams(['position', 'name', 'symbols'], BY_HAND)

/** A whole list of the kit over a call of the contract, with its state in the address. */
function BundleList() {
  const query = useQuery({
    queryKey: ['bundles'],
    queryFn: () => api(bundlesApi.list, {}),
    meta: { silent: true },
  })
  const url = useUrlState(params)
  return (
    <LocalList
      id="bundles"
      label="Пакеты"
      find="Найти пакет"
      query={query}
      columns={columns}
      kind={kind}
      local={{ words: ({ name }) => name, value: (row, id) => (id === 'name' ? row.name : row.symbols) }}
      url={url}
      onMove={(ids) => void api(bundlesApi.reorder, { body: { ids } })}
    >
      {null}
    </LocalList>
  )
}

test('while rows load the table says that it is busy', async () => {
  const answer = later<TokenBundle[]>()
  new FakeServer().on(bundlesApi.list, () => answer.promise)
  render(<BundleList />)
  expect(table().getAttribute('aria-busy')).toBe('true')
  expect(within(table()).queryAllByRole('link')).toEqual([])
  answer.give(bundles)
  expect(await screen.findByRole('link', { name: 'Малый' })).toBeTruthy()
  expect(table().getAttribute('aria-busy')).toBeNull()
})

test('a list that did not load says why, and «Повторить» asks again', async () => {
  const server = new FakeServer().on(bundlesApi.list, refusal('forbidden', 'Это видит только администратор.'))
  const { user } = render(<BundleList />)
  expect(await screen.findByText('Список не загрузился')).toBeTruthy()
  expect(screen.getByText('Это видит только администратор.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
  server.on(bundlesApi.list, bundles)
  await user.click(screen.getByRole('button', { name: 'Повторить' }))
  await screen.findByRole('table', { name: 'Пакеты' })
  expect(names()).toEqual(['Средний', 'Большой', 'Малый'])
})

test('a search that finds nothing says so, and «Показать все» brings the list back', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  const search = screen.getByRole('searchbox', { name: 'Найти пакет' })
  await user.type(search, 'огромный')
  expect(await screen.findByText('Под эти условия ничего не подошло.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Показать все' }))
  expect(names()).toHaveLength(3)
  expect(search).toHaveProperty('value', '')
})

test('a click on a head sorts from the start, the next one from the end, and the address keeps it', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  expect(header('Символы').getAttribute('aria-sort')).toBe('none')
  await user.click(within(header('Символы')).getByRole('button'))
  expect(names()).toEqual(['Малый', 'Средний', 'Большой'])
  expect(header('Символы').getAttribute('aria-sort')).toBe('ascending')
  await user.click(within(header('Символы')).getByRole('button'))
  expect(names()).toEqual(['Большой', 'Средний', 'Малый'])
  expect(header('Символы').getAttribute('aria-sort')).toBe('descending')
  expect(header('Название').getAttribute('aria-sort')).toBe('none')
  expect(address()).toContain('sort=-symbols')
})

test('a column that cannot be sorted has no button in its head', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  expect(within(header('Заметка')).queryByRole('button')).toBeNull()
  expect(header('Заметка').getAttribute('aria-sort')).toBeNull()
})

test('a list opened by an address with a sort comes sorted', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  render(<BundleList />, { path: '/?sort=name' })
  await screen.findByRole('link', { name: 'Малый' })
  expect(names()).toEqual(['Большой', 'Малый', 'Средний'])
})

test('columns are shown and hidden by choice, the name always stays, and the choice is remembered', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, unmount } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  const titles = () =>
    within(table())
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
      .filter((title) => title !== 'Порядок')
  expect(titles()).toEqual(['Название', 'Символы', 'Заметка'])
  await user.click(screen.getByRole('button', { name: 'Столбцы' }))
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Название' })).toBeNull()
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Валюта', checked: false }))
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Символы', checked: true }))
  await user.keyboard('{Escape}')
  expect(titles()).toEqual(['Название', 'Заметка', 'Валюта'])
  unmount()
  render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  expect(titles()).toEqual(['Название', 'Заметка', 'Валюта'])
})

test('a cell without a value shows a dash', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  expect(
    within(bodyRows()[0] as HTMLElement)
      .getAllByRole('cell')
      .at(-1)?.textContent,
  ).toContain('—')
})

test('arrows, Home and End lead along the names of the rows, and Enter opens one', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address } = render(<BundleList />)
  ;(await screen.findByRole('link', { name: 'Средний' })).focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(link('Большой'))
  await user.keyboard('{End}')
  expect(document.activeElement).toBe(link('Малый'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(link('Малый'))
  await user.keyboard('{Home}{ArrowUp}')
  expect(document.activeElement).toBe(link('Средний'))
  await user.keyboard('{Enter}')
  expect(address()).toBe('/bundles/средний')
})

test('a click anywhere on a row opens it', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  await user.click(screen.getByText('1000'))
  expect(address()).toBe('/bundles/большой')
})

test('the arrows on a handle move a row, say where it is now, and send the whole order', async () => {
  const server = new FakeServer().on(bundlesApi.list, bundles).on(bundlesApi.reorder, bundles)
  const { user } = render(<BundleList />)
  const handle = await screen.findByRole('button', { name: 'Переместить: Малый' })
  handle.focus()
  await user.keyboard('{ArrowUp}')
  await waitFor(() => expect(server.calls(bundlesApi.reorder)).toHaveLength(1))
  expect(server.calls(bundlesApi.reorder)[0]?.body).toEqual({ ids: ['средний', 'малый', 'большой'] })
  expect(screen.getByText('Малый: место 2 из 3')).toBeTruthy()
  await user.keyboard('{ArrowDown}')
  expect(server.calls(bundlesApi.reorder)).toHaveLength(1)
})

test('rows are moved by hand only in their own order', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user } = render(<BundleList />)
  await screen.findByRole('button', { name: 'Переместить: Малый' })
  await user.click(within(header('Название')).getByRole('button'))
  expect(screen.queryByRole('button', { name: /Переместить/ })).toBeNull()
})

/** A table with boxes to tick, a bar for what is ticked, and a menu in each row. */
function Ticked({ onDelete }: { onDelete: (names: string[]) => void }) {
  const [rows, setRows] = useState(bundles)
  const selection = useSelection(rows, kind.key)
  const menu = ({ id, name }: TokenBundle) => (
    <RowMenu name={name}>
      <MenuItem onSelect={() => setRows((now) => now.filter((row) => row.id !== id))}>Удалить</MenuItem>
    </RowMenu>
  )
  return (
    <>
      <DataTable label="Пакеты" columns={columns} rows={rows} kind={{ ...kind, menu }} selection={selection} />
      <SelectionBar count={selection.rows.length} onClear={selection.clear}>
        <button type="button" onClick={() => onDelete(selection.rows.map(({ name }) => name))}>
          Удалить выбранные
        </button>
      </SelectionBar>
    </>
  )
}

const bar = () => screen.queryByRole('toolbar', { name: 'Действия с выбранными строками' })

test('the bar appears with the first ticked row, counts them, acts on them and goes with «Снять выделение»', async () => {
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

test('the box in the head ticks all rows and then none, and is in between when only some are', async () => {
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

test('with Shift everything between two boxes is ticked', async () => {
  const { user } = render(<Ticked onDelete={() => undefined} />)
  await user.click(box('Средний'))
  await user.keyboard('{Shift>}')
  await user.click(box('Малый'))
  await user.keyboard('{/Shift}')
  expect(screen.getByText('Выбрано 3')).toBeTruthy()
})

test('a ticked row that has left the list is not counted any more', async () => {
  const { user } = render(<Ticked onDelete={() => undefined} />)
  await user.click(box('Большой'))
  await user.click(box('Малый'))
  await user.click(screen.getByRole('button', { name: 'Действия: Малый' }))
  await user.click(screen.getByRole('menuitem', { name: 'Удалить' }))
  expect(screen.getByText('Выбрано 1')).toBeTruthy()
})

test('ticking a box or using the menu of a row does not open the row', async () => {
  const { user, address } = render(<Ticked onDelete={() => undefined} />, { path: '/bundles' })
  await user.click(box('Большой'))
  await user.click(screen.getByRole('button', { name: 'Действия: Малый' }))
  await user.click(screen.getByRole('menuitem', { name: 'Удалить' }))
  expect(address()).toBe('/bundles')
})
