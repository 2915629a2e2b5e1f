import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asOwner, findRow, uniqueCode } from './admin.ts'
import type { TestServer } from './server.ts'
import { expect, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

const chainStatus = (page: Page) => page.getByRole('status').filter({ hasText: 'Цепочка' })

async function changeAPlan(page: Page, server: TestServer, name: string) {
  const headers = { origin: server.url }
  const terms = { symbols: 500, price: 990, currency: 'BYN', active: false, position: 99 }
  const made = await page.request.post('/api/plans', { headers, data: { name, ...terms } })
  const { id } = (await made.json()) as { id: string }
  await page.request.patch(`/api/plans/${id}`, { headers, data: { price: 1290, description: 'Для учёбы' } })
  return id
}

test.beforeEach(({ page, server }) => asOwner(page, server))

test('an owner finds an entry, reads its difference and downloads the log', async ({ page, server, email }) => {
  const name = `Тариф ${uniqueCode(email)}`
  const id = await changeAPlan(page, server, name)
  await page.goto('/admin/statistic')
  await page.getByRole('link', { name: 'Журнал' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Журнал' })).toBeVisible()
  await page.getByLabel('Объект', { exact: true }).selectOption('Тариф')
  await page.getByLabel('Действие', { exact: true }).selectOption('Тариф изменён')
  await expect(page).toHaveURL(/kind=plan&action=plan\.change/)
  const mine = findRow(page, name)
  // Rows of the former filter stay until the new ones are there.
  await expect(mine).toHaveCount(1)
  await expect(mine).toContainText('owner@example.test')
  await mine.getByRole('button', { name: 'Тариф изменён' }).click()
  const dialog = page.getByRole('dialog', { name: 'Тариф изменён' })
  await expect(dialog).toContainText(/Цена\s*было: 9,9\s*стало: 12,9/)
  await expect(dialog).toContainText(/Описание\s*было: нет\s*стало: Для учёбы/)
  await expect(dialog).not.toContainText('Символы')
  await expect(page).toHaveURL(/entry=\d+/)
  await page.reload()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('link', { name: 'Вся история' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2)
  await expect(findRow(page, 'Тариф добавлен')).toHaveCount(1)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  await mine.first().getByRole('link', { name }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/plans/${id}$`))
})

test('the log is used by keyboard, and Back closes an opened entry', async ({ page, server, email }) => {
  await changeAPlan(page, server, `Тариф ${uniqueCode(email)}`)
  await page.goto('/admin/audit?kind=plan')
  const opener = page.locator('[data-row-opener]')
  await opener.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(opener.nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Тариф добавлен' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/admin\/audit\?kind=plan$/)
})

test('the light says that the chain is whole', async ({ page, server, email }) => {
  await changeAPlan(page, server, `Тариф ${uniqueCode(email)}`)
  await page.goto('/admin/audit')
  await page.getByRole('button', { name: 'Проверить цепочку' }).click()
  await expect(chainStatus(page)).toContainText(/Цепочка цела: \d+ запис/)
})

test('the log and its rows look right in all widths and themes', async ({ page, server, email }) => {
  await changeAPlan(page, server, `Тариф ${uniqueCode(email)}`)
  await expectGoodVisuals(page, '/admin/audit', '/admin/audit?kind=plan&from=2026-01-01&entry=2')
})
