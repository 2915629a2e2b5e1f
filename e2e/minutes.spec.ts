import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { TRANSCRIPT } from './model.ts'
import { wav } from './sound.ts'
import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** Minutes, a letter and tasks from a recording. What the scripted model notes is in e2e/model.ts. */

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

async function openRecording(page: Page, name: string) {
  await page.goto('/transcribe')
  const file = { name: `${name}.wav`, mimeType: 'audio/wav', buffer: wav(3, 8000) }
  await page.getByLabel('Файл с записью').setInputFiles(file)
  await page
    .getByRole('listitem', { name: `${name}.wav` })
    .getByRole('button', { name: 'Расшифровать' })
    .click()
  const list = page.getByRole('list', { name: 'Записи' })
  await expect(list.getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
  await list.getByRole('link', { name, exact: true }).click()
}

const panel = (page: Page) => page.getByRole('region', { name: /Документы по записи|Протокол встречи/ })

for (const width of [1280, 360])
  test(`a recording becomes minutes in Word at ${width} px (S10.803, S10.811)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await openRecording(page, 'Планёрка')
    await expect(panel(page)).toContainText(/около .+символов, до .+символов/)
    await panel(page).getByRole('button', { name: 'Протокол встречи' }).click()
    await expect(panel(page).getByRole('heading', { name: 'Поручения' })).toBeVisible()
    await expect(panel(page).getByRole('row', { name: 'Анна Прислать договор до пятницы 0:02' })).toBeVisible()
    await expect(panel(page)).toContainText('Снять склад на Лесной 0:01')

    await panel(page).getByRole('link', { name: '0:02' }).click()
    await expect(page.getByRole('slider', { name: 'Место в записи' })).not.toHaveValue('0')

    await panel(page).getByRole('button', { name: 'Править' }).click()
    const field = page.getByRole('textbox', { name: 'Протокол встречи' })
    await field.fill((await field.inputValue()).replace('Прислать договор', 'Прислать два договора'))
    await page.reload()
    await expect(field).toHaveValue(/Прислать два договора/)
    await panel(page).getByRole('button', { name: 'Сохранить' }).click()
    await expect(panel(page).getByRole('row', { name: /Прислать два договора/ })).toBeVisible()

    const saved = page.waitForEvent('download')
    await panel(page).getByRole('button', { name: 'Скачать Word' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('Протокол встречи Планёрка.docx')
    const xml = strFromU8(unzipSync(readFileSync(await file.path()))['word/document.xml'] ?? new Uint8Array())
    for (const word of ['Поручения', '<w:tbl>', 'Прислать два договора', 'до пятницы']) expect(xml).toContain(word)

    await panel(page)
      .getByRole('button', { name: /Сделать заново/ })
      .click()
    await expect(page.getByRole('dialog', { name: /Вы правили этот текст/ })).toBeVisible()
    await page.getByRole('button', { name: 'Отмена' }).click()
    await panel(page).getByRole('button', { name: 'Другие документы и модель' }).click()
    await page.getByRole('menuitem', { name: /Список задач.*бесплатно/ }).click()
    await expect(panel(page)).toContainText('Прислать договор — срок: до пятницы')
  })

test('a killed server goes on, other windows see the text (S10.806, S10.813)', async ({ page, server, context }) => {
  await openRecording(page, 'Прерванная')
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(panel(other)).toContainText('около')
  await panel(page).getByRole('button', { name: 'Протокол встречи' }).click()
  await expect(panel(page).getByRole('status')).toHaveText('Пишется…')
  await server.kill()
  await expect(panel(page).getByRole('row', { name: /Прислать договор/ })).toBeVisible()
  await expect(panel(other).getByRole('row', { name: /Прислать договор/ })).toBeVisible()
  await page.goto('/profile/operations')
  await expect(page.getByText('Документ по записи', { exact: true })).toHaveCount(1)
})

test('documents look right at both widths and in both themes (S10.813)', async ({ page }) => {
  await openRecording(page, 'Обсуждение')
  await panel(page).getByRole('button', { name: 'Протокол встречи' }).click()
  await expect(panel(page).getByRole('heading', { name: 'Поручения' })).toBeVisible()
  await expectGoodVisuals(page, page.url().slice(page.url().indexOf('/transcribe')))
})
