import type { Page } from '@playwright/test'
import { TRANSCRIPT } from './model.ts'
import { expect, startSession, test } from './steps.ts'

/** A voice recorded in the page. The browser brings a microphone of its own that beeps. */

test.use({
  launchOptions: {
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
  permissions: ['microphone'],
})

const waiting = (page: Page) => page.getByRole('list', { name: 'Готовы к расшифровке' }).getByRole('listitem')
const timer = (page: Page) => page.getByRole('timer', { name: 'Длина записи' })

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('a voice is recorded with a pause, listened to and becomes text', async ({ page }) => {
  await page.goto('/transcribe')
  await page.getByRole('button', { name: 'Записать голос' }).click()
  await expect(page.getByText('Идёт запись')).toBeVisible()
  await expect(timer(page)).toHaveText('0:02')
  await page.getByRole('button', { name: 'Пауза' }).click()
  await expect(page.getByText('Пауза', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Продолжить' }).click()
  await expect(timer(page)).toHaveText('0:03')
  await page.getByRole('button', { name: 'Закончить' }).click()
  await expect(waiting(page)).toContainText(/Запись \d+ \S+, \d\d:\d\d/)
  await expect(waiting(page)).toContainText(/0:0[34]/)
  await expect(waiting(page).getByRole('button', { name: 'Слушать' })).toBeVisible()
  await waiting(page).getByRole('button', { name: 'Расшифровать' }).click()
  const list = page.getByRole('list', { name: 'Записи' })
  await expect(list.getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
  await expect(list).toContainText(/0:0[34]/)
})

test('a page closed during a recording loses no words', async ({ page }) => {
  await page.goto('/transcribe')
  await page.getByRole('button', { name: 'Записать голос' }).click()
  await expect(timer(page)).toHaveText('0:03')
  await page.reload()
  await expect(waiting(page)).toHaveCount(1)
  await expect(waiting(page)).toContainText(/0:0[23]/)
  await waiting(page).getByRole('button', { name: 'Расшифровать' }).click()
  await expect(page.getByRole('list', { name: 'Записи' }).getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
})

test('a discarded recording does not wait', async ({ page }) => {
  await page.goto('/transcribe')
  await page.getByRole('button', { name: 'Записать голос' }).click()
  await expect(timer(page)).toHaveText('0:01')
  await page.getByRole('button', { name: 'Не сохранять' }).click()
  await expect(page.getByText('Перетащите запись сюда')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Здесь появятся ваши записи')).toBeVisible()
  await expect(waiting(page)).toHaveCount(0)
})

test('a dictated message comes into the field, and its recording is kept (S10.210)', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  await field.fill('Итак:')
  await page.getByRole('button', { name: /^Надиктовать: .+ за минуту$/ }).click()
  await expect(timer(page)).toHaveText('0:02')
  await page.getByRole('button', { name: 'Остановить' }).click()
  await expect(field).toHaveValue(new RegExp(`^Итак: ${TRANSCRIPT[0]?.trim()}`))
  await page.goto('/transcribe')
  await expect(page.getByRole('list', { name: 'Записи' })).toContainText(/Диктовка \d+ \S+, \d\d:\d\d/)
})
