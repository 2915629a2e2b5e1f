import type { Page } from '@playwright/test'
import { makePaper, makeScanPdf } from '#server/files/testing/make-scan.ts'
import { SCANNED } from './model.ts'
import { expect, startSession, test } from './steps.ts'

/** From an uploaded scan to a cited page: the pages are pictures, and the scripted model reads them. */

async function scan(pages: number) {
  const paper = await makePaper(['Договор аренды', 'Плата 40 000'])
  const buffer = makeScanPdf(Array.from({ length: pages }, () => paper))
  return { name: 'договор.pdf', mimeType: 'application/pdf', buffer }
}

const lastAnswer = (page: Page) => page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

for (const [name, width, height] of [
  ['a wide screen', 1280, 800],
  ['a phone', 360, 780],
] as const) {
  test(`on ${name} a scan is read and cited with its page (S10.750, S10.752, S10.763)`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    await page.goto('/assistants/create')
    await page.getByLabel('Название').fill('Архив')
    await page.getByLabel('Модель').selectOption({ label: 'Демо' })
    await page.locator('input[type=file][multiple]').setInputFiles(await scan(2))
    await page.getByRole('button', { name: 'Создать ассистента' }).click()
    await expect(page).toHaveURL(/\/assistants$/)
    await page.getByRole('link', { name: 'Архив', exact: true }).click()
    await expect(page.getByText('Это скан: 2 страницы.')).toBeVisible()
    await page.getByRole('button', { name: /^Прочитать: до 3\s000\sсимволов/ }).click()
    await expect(page.getByText(/^Готов · /)).toBeVisible({ timeout: 20_000 })

    await page.getByRole('link', { name: 'Начать чат' }).click()
    await page.getByRole('textbox', { name: 'Сообщение' }).fill('Какая арендная плата в месяц?')
    await page.getByRole('button', { name: 'Отправить', exact: true }).click()
    await lastAnswer(page)
      .getByRole('button', { name: /^Источник 1: договор.pdf, стр. 1/ })
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(SCANNED)
    const picture = dialog.getByRole('img', { name: 'Страница 1' })
    // As it is in the file, or larger where pdftoppm draws the page.
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(600)
    await expect(picture).not.toHaveClass('sr-only')
    const text = await dialog.getByText(SCANNED).first().boundingBox()
    const box = await picture.boundingBox()
    if (!text || !box) throw new Error('Nothing is shown')
    if (width > 1000) expect(box.x).toBeGreaterThan(text.x + text.width - 1)
    else expect(box.y).toBeGreaterThan(text.y + text.height - 1)
  })
}

test('a scan attached to a message is read there and answered (S10.760)', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  await field.fill('О чём это?')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await scan(1))
  await expect(page.getByText('Это скан: 1 страница.')).toBeVisible()
  await expect(page.getByText('В скане нет текста. Прочитайте его или уберите.')).toBeVisible()
  await page.getByRole('button', { name: /^Прочитать: до 1\s500\sсимволов/ }).click()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click({ timeout: 20_000 })
  await expect(lastAnswer(page)).toContainText('Вы спросили')
})
