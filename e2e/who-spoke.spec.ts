import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { TRANSCRIPT } from './model.ts'
import { wav } from './sound.ts'
import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals, violations } from './visual-check.ts'

const people = (page: Page) => page.getByRole('region', { name: 'Участники' })

async function download(page: Page, format: string): Promise<string> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать' }).click()
  await page.getByRole('menuitem', { name: format }).click()
  return readFileSync(await (await saved).path(), 'utf8')
}

for (const width of [1280, 360])
  test(`people are named, joined and in the files at ${width} (S10.781, S10.782, S10.784, S10.793)`, async ({
    page,
    server,
    email,
  }) => {
    await page.setViewportSize({ width, height: 780 })
    await startSession(page, server, email)
    await page.goto('/transcribe')
    await page.getByLabel('Язык записи').selectOption('Польский')
    await page.getByLabel('Файл с записью').setInputFiles({ name: 'Совет.wav', mimeType: 'audio/wav', buffer: wav(3) })
    await page.getByRole('button', { name: 'Расшифровать' }).click()
    await page.getByRole('list', { name: 'Записи' }).getByRole('link', { name: 'Совет', exact: true }).click()

    await people(page)
      .getByRole('button', { name: /^Участник 1\s*33 %/ })
      .click()
    await page.getByRole('dialog').getByLabel('Имя').fill('Анна')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Анна: изменить, кто говорит с 0:00' })).toBeVisible()

    await people(page).getByRole('button', { name: 'Объединить' }).click()
    const dialog = page.getByRole('dialog', { name: 'Объединить участников' })
    await dialog.getByRole('checkbox', { name: 'Анна' }).check()
    await dialog.getByRole('checkbox', { name: 'Участник 3' }).check()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Объединить' }).click()
    await expect(people(page).getByRole('button', { name: /^Анна\s*67 %/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Анна: изменить, кто говорит с 0:02' })).toBeVisible()

    await page.getByRole('searchbox', { name: 'Найти в записи' }).fill('встречи')
    await expect(page.getByText('1 из 1')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Текст с 0:01' }).fill('Обсудим аренду.')
    await expect(page.getByText('Исправления сохранены')).toBeVisible()

    expect(await download(page, 'TXT')).toContain(
      `Анна: ${TRANSCRIPT[0]}\r\n\r\nУчастник 2: Обсудим аренду.\r\n\r\nАнна: ${TRANSCRIPT[2]}`,
    )
    expect(await download(page, 'SRT')).toContain('00:00:01,000 --> 00:00:02,000\r\n[Участник 2] Обсудим аренду.')
    expect(await download(page, 'VTT')).toContain(`<v Анна>${TRANSCRIPT[2]}`)
    await page.reload()
    await expect(people(page).getByRole('button', { name: /^Анна/ })).toBeVisible()
    if (width === 1280) await expectGoodVisuals(page, page.url())
  })
