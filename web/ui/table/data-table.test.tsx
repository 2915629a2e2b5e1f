import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { bundlesApi, type TokenBundle } from '#contract/plans.ts'
import { api } from '#web/lib/api.ts'
import { tableParams, useUrlState } from '#web/lib/url-state.ts'
import { FakeServer, later, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { LocalList, MANUAL_ORDER } from './local-list.tsx'
import { bundles, columns, rowSpec } from './testing/bundles.ts'

const table = () => screen.getByRole('table', { name: 'Пакеты' })
const bodyRows = () => within(table()).getAllByRole('row').slice(1)
const names = () =>
  within(table())
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const header = (title: string) => screen.getByRole('columnheader', { name: title })
const link = (name: string) => screen.getByRole('link', { name })

const params = tableParams(['position', 'name', 'symbols'], MANUAL_ORDER)

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
      searchLabel="Найти пакет"
      query={query}
      columns={columns}
      rowSpec={rowSpec}
      local={{ searchText: ({ name }) => name, sortValue: (row, id) => (id === 'name' ? row.name : row.symbols) }}
      url={url}
      onMove={(ids) => void api(bundlesApi.reorder, { body: { ids } })}
    >
      {null}
    </LocalList>
  )
}

test('the table says that it is busy while rows load', async () => {
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
  const server = new FakeServer().on(bundlesApi.list, rejection('forbidden', 'Это видит только администратор.'))
  const { user } = render(<BundleList />)
  expect(await screen.findByText('Список не загрузился')).toBeTruthy()
  expect(screen.getByText('403: Это видит только администратор.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
  server.on(bundlesApi.list, bundles)
  await user.click(screen.getByRole('button', { name: 'Повторить' }))
  await screen.findByRole('table', { name: 'Пакеты' })
  expect(names()).toEqual(['Средний', 'Большой', 'Малый'])
})

test('an empty search says so, and «Показать все» restores the list', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address } = render(<BundleList />, { path: '/bundles' })
  await screen.findByRole('link', { name: 'Малый' })
  const search = screen.getByRole('searchbox', { name: 'Найти пакет' })
  await user.type(search, 'огромный')
  expect(await screen.findByText('Под эти условия ничего не подошло.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Показать все' }))
  expect(names()).toHaveLength(3)
  expect(search).toHaveProperty('value', '')
  await waitFor(() => expect(address()).toBe('/bundles'))
})

test('the address keeps a search and opens a filtered list', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address, unmount } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  await user.type(screen.getByRole('searchbox', { name: 'Найти пакет' }), 'боль')
  await waitFor(() => expect(names()).toEqual(['Большой']))
  const saved = address() ?? ''
  unmount()
  render(<BundleList />, { path: saved })
  await screen.findByRole('link', { name: 'Большой' })
  expect(names()).toEqual(['Большой'])
  expect(screen.getByRole('searchbox', { name: 'Найти пакет' })).toHaveProperty('value', 'боль')
})

test('the spreadsheet has the visible rows and all text columns', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const { user } = render(<BundleList />, { path: '/?query=й&sort=-symbols' })
  await screen.findByRole('link', { name: 'Малый' })
  await user.click(screen.getByRole('button', { name: 'CSV' }))
  expect(await files[0]?.text()).toBe(
    'Название;Символы;Валюта\r\nБольшой;1000;BYN\r\nСредний;500;BYN\r\nМалый;50;BYN\r\n',
  )
})

test('a click on a header sorts up, then down, in the address', async () => {
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

test('an address with a sort opens a sorted list', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  render(<BundleList />, { path: '/?sort=name' })
  await screen.findByRole('link', { name: 'Малый' })
  expect(names()).toEqual(['Большой', 'Малый', 'Средний'])
})

test('the choice of columns is remembered, and the name always stays (S1.29)', async () => {
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

test('arrows, Home and End move along rows, and Enter opens', async () => {
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
  expect(address()).toBe('/admin/plans/средний')
})

test('a click anywhere on a row opens it', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user, address } = render(<BundleList />)
  await screen.findByRole('link', { name: 'Малый' })
  await user.click(screen.getByText('1000'))
  expect(address()).toBe('/admin/plans/большой')
})

test('arrows on a handle move a row and send the order', async () => {
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

test('rows are moved by hand only in the manual order', async () => {
  new FakeServer().on(bundlesApi.list, bundles)
  const { user } = render(<BundleList />)
  await screen.findByRole('button', { name: 'Переместить: Малый' })
  await user.click(within(header('Название')).getByRole('button'))
  expect(screen.queryByRole('button', { name: /Переместить/ })).toBeNull()
})
