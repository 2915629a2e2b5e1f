import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { asOwner, findNotice } from './admin.ts'
import { expect, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

const card = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
const figure = async (page: Page, name: string) =>
  Number(((await card(page, name).locator('.figures').first().textContent()) ?? '').replace(/[^\d]/g, ''))

/** A user asks something and is answered, without a screen. */
async function ask(page: Page, origin: string, content: string) {
  const headers = { origin, accept: 'application/json' }
  const data = { title: 'Проба', Model: { connect: { id: 'script' } } }
  const thread = await page.request.post('/api/threads', { headers, data })
  const { id } = (await thread.json()) as { id: string }
  const answered = await page.request.post(`/api/threads/${id}/message`, { headers, data: { content } })
  expect(answered.ok(), await answered.text()).toBe(true)
}

/** An installation where nobody has asked anything shows no figures. */
test.beforeEach(async ({ page, server }) => {
  await asOwner(page, server)
  await ask(page, server.url, 'Есть кто-нибудь?')
})

test('the owner sees new figures, a chart, a table and a file (S1.29)', async ({ page, server }) => {
  await page.goto('/admin/statistic?period=today')
  await expect(page.getByRole('heading', { name: 'Статистика', level: 1 })).toBeVisible()
  await expect(card(page, 'Вопросы')).toBeVisible()
  const before = await figure(page, 'Вопросы')
  await ask(page, server.url, 'Сколько будет дважды два?')
  await ask(page, server.url, 'А трижды три?')
  await page.reload()
  await expect.poll(() => figure(page, 'Вопросы')).toBe(before + 2)
  expect(await figure(page, 'Активные люди')).toBeGreaterThan(0)
  expect(await figure(page, 'Списано символов')).toBeGreaterThan(0)

  const chart = page.getByRole('slider', { name: 'Вопросы' })
  await chart.focus()
  await expect(chart).toHaveAttribute('aria-valuetext', new RegExp(`: ${before + 2} вопрос`))
  const models = page.getByRole('table', { name: 'Модели' })
  await expect(models.getByRole('link', { name: 'Скорый' })).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV по дням' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^statistika-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  const [head, day] = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(head).toContain('День;Активные люди;Новые люди;Вопросы')
  expect(day?.split(';')[3]).toBe(String(before + 2))
})

test('the address keeps the period, and figures explain themselves (S2.40)', async ({ page }) => {
  let send = () => {}
  const held = new Promise<void>((done) => {
    send = done
  })
  await page.route(/\/api\/statistic\?/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/admin/statistic')
  const week = page.getByText('7 дней', { exact: true })
  const place = await week.boundingBox()
  send()
  await expect(page.getByRole('button', { name: 'CSV по дням' })).toBeEnabled()
  expect(await week.boundingBox()).toEqual(place)
  await week.click()
  await expect(page).toHaveURL(/period=7$/)
  await page.reload()
  await expect(page.getByRole('radio', { name: '7 дней' })).toBeChecked()
  await page.getByText('Свой', { exact: true }).click()
  await page.getByLabel('с', { exact: true }).fill('2026-01-01')
  await expect(page).toHaveURL(/from=2026-01-01/)
  await page.getByText('30 дней', { exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/statistic$/)
  await page.getByRole('button', { name: 'Как считается: Активные люди' }).click()
  await expect(page.getByText('задали вопрос или потратили символы').last()).toBeVisible()
})

test('the ledger is checked by a button (S10.37)', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 760 })
  await page.goto('/admin/statistic#health')
  await page.getByRole('button', { name: 'Сверить сейчас' }).click()
  await expect(findNotice(page, 'Учёт сходится до символа')).toBeVisible()
  await expect(page.getByText('Сходится до символа', { exact: true })).toBeVisible()
  await expectNoOverflow(page)
})
