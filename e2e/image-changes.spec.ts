import type { Locator, Page } from '@playwright/test'
import { expect, startSession, test } from './steps.ts'
import { expectNoOverflow, violations } from './visual-check.ts'

const gallery = (page: Page) => page.getByRole('list', { name: 'Изображения' })

async function draw(page: Page, words: string) {
  await page.goto('/images')
  await page.getByRole('textbox', { name: 'Что нарисовать' }).fill(words)
  await page.getByRole('button', { name: /^Нарисовать/ }).click()
  await gallery(page)
    .getByRole('button', { name: `Открыть: ${words}` })
    .click()
}

async function stroke(page: Page, canvas: Locator) {
  const box = await canvas.boundingBox()
  if (!box) throw new Error('no canvas')
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.5, { steps: 5 })
  await page.mouse.up()
}

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

for (const width of [1280, 360])
  test(`a marked part is changed and compared at ${width} px (S10.820, S10.830, S10.835)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 })
    await draw(page, 'Горы')
    await page.getByRole('dialog').getByRole('button', { name: 'Изменить' }).click()
    const dialog = page.getByRole('dialog', { name: 'Изменить картинку' })
    await dialog.getByRole('textbox', { name: 'Что изменить' }).fill('Сделай красным')
    await stroke(page, dialog.getByTestId('area'))
    await expect(dialog.getByText('Изменится только отмеченное')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await expectNoOverflow(page)
    await dialog.getByRole('button', { name: /^Изменить · 2\s000/ }).click()
    const viewer = page.getByRole('dialog', { name: 'Изображение: Сделай красным' })
    await expect(viewer).toBeVisible()
    await expect(viewer.getByRole('button', { name: /^Версия/ })).toHaveCount(2)
    await viewer.getByRole('button', { name: 'Сравнить' }).click()
    await page.getByRole('slider', { name: 'Граница между версиями' }).fill('20')
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog', { name: 'Было и стало' }).getByRole('button', { name: 'Закрыть' }).click()
    await viewer.getByRole('button', { name: 'Вернуться' }).click()
    await expect(page.getByRole('dialog', { name: 'Изображение: Горы' })).toBeVisible()
  })
