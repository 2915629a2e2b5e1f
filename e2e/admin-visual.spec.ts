import { asOwner } from './admin.ts'
import { expect, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

test.describe.configure({ mode: 'parallel' })

test('the owner’s lists and forms look right in all widths and themes (S2.40, S10.241)', async ({ page, server }) => {
  test.setTimeout(240_000)
  await asOwner(page, server)
  const people = await page.request.get('/api/users?query=owner@example.test')
  const { items } = (await people.json()) as { items: { id: string }[] }
  const [plan] = (await (await page.request.get('/api/plans')).json()) as { id: string }[]
  await expectGoodVisuals(
    page,
    '/admin/users',
    `/admin/users/${items[0]?.id}`,
    '/admin/plans',
    '/admin/plans/add',
    `/admin/plans/${plan?.id}`,
  )
})

test('lists scroll with the page, head and actions stay in sight (S10.1558)', async ({ page, server }) => {
  await asOwner(page, server)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/admin/models')
  const action = page.getByRole('button', { name: /^Действия: / }).first()
  await expect(action).toBeInViewport({ ratio: 1 })
  await page.goto('/admin/limits')
  const rows = page.getByRole('table', { name: 'Частота' }).getByRole('row')
  await rows.nth(15).scrollIntoViewIfNeeded()
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, 600)
  const head = page.getByRole('table', { name: 'Частота' }).getByRole('columnheader').first()
  await expect(head).toBeInViewport({ ratio: 1 })
  const scrolling = await page.evaluate(
    () =>
      [...document.querySelectorAll('main *')].filter(
        (box) => box.scrollHeight > box.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(box).overflowY),
      ).length,
  )
  expect(scrolling).toBe(0)
})

test('the owner’s models look right in all widths and themes', async ({ page, server }) => {
  await asOwner(page, server)
  await expectGoodVisuals(page, '/admin/models', '/admin/models/add', '/admin/models/demo')
})

test('plans, bundles and promo codes look right in all widths and themes (S2.40)', async ({ page, server }) => {
  test.setTimeout(240_000)
  await asOwner(page, server)
  const made = await page.request.post('/api/promocodes', {
    headers: { origin: server.url },
    data: { code: `LOOK-${Date.now()}`, symbols: 500, active: false },
  })
  const { id } = (await made.json()) as { id: string }
  await expectGoodVisuals(
    page,
    '/admin/promocodes',
    `/admin/promocodes/${id}`,
    '/admin/promocodes/add?make=many',
    '/admin/tokens-bundles',
    '/admin/tokens-bundles?edit=new',
  )
})

test('the owner’s documents look right in all widths and themes', async ({ page, server }) => {
  await asOwner(page, server)
  await expectGoodVisuals(page, '/admin/documents', '/admin/documents/offer')
})

test('the owner’s statistics look right in all widths and themes', async ({ page, server }) => {
  test.setTimeout(240_000)
  await asOwner(page, server)
  await expectGoodVisuals(
    page,
    '/admin/status',
    '/admin/statistic',
    // With an end, so that the page has as many bars next year as today.
    '/admin/statistic?period=own&from=2026-01-01&to=2026-03-31',
  )
})

test('the owner’s transactions look right in all widths and themes (S2.40)', async ({ page, server }) => {
  test.setTimeout(150_000)
  await asOwner(page, server)
  const bundles = (await (await page.request.get('/api/tokens-bundles')).json()) as { id: string }[]
  await page.request.get(`/api/bepaid/get-bundle-url?bundleId=${bundles[0]?.id}`)
  const orders = (await (await page.request.get('/api/orders')).json()) as { id: string }[]
  await expectGoodVisuals(
    page,
    '/admin/transactions',
    '/admin/transactions?entry=1',
    '/admin/transactions?tab=orders',
    `/admin/transactions?tab=orders&order=${orders[0]?.id}`,
    '/admin/transactions?tab=events',
  )
})

test('on a phone rows are cards that sort, move and open', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 760 })
  await asOwner(page, server)
  await page.goto('/admin/tokens-bundles')
  const names = () => page.locator('[data-row] [data-row-opener]').allInnerTexts()
  await expect.poll(names).toEqual(['Пакет на пробу', 'Средний пакет', 'Большой пакет'])
  await page.getByRole('button', { name: 'Фильтры' }).click()
  await page.getByLabel('Сортировка').selectOption('Цена')
  await page.getByRole('button', { name: 'Сначала большие' }).click()
  await expect.poll(async () => (await names())[0]).toBe('Большой пакет')
  await page.getByLabel('Сортировка').selectOption('По порядку показа')
  await page.getByRole('button', { name: 'Переместить: Пакет на пробу' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await names())[1]).toBe('Пакет на пробу')
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await names())[0]).toBe('Пакет на пробу')
  await page
    .getByText('350 BYN')
    .or(page.getByText(/3,50\sBYN/))
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Пакет «Пакет на пробу»' })).toBeVisible()
})
