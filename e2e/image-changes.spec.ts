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
  const [from, to] = await ends(canvas)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
}

/** As a finger does it: without `touch-action` the page would scroll and the browser would cancel the stroke. */
async function strokeByFinger(page: Page, canvas: Locator) {
  const [from, to] = await ends(canvas)
  const input = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    input.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', from)
  for (const step of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', { x: from.x + (to.x - from.x) * step, y: from.y + (to.y - from.y) * step })
  await touch('touchEnd')
}

async function ends(canvas: Locator) {
  const box = await canvas.boundingBox()
  if (!box) throw new Error('no canvas')
  const at = (x: number, y: number) => ({ x: box.x + box.width * x, y: box.y + box.height * y })
  return [at(0.3, 0.2), at(0.6, 0.8)] as const
}

const markedShare = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] }
    let marked = 0
    for (let at = 3; at < data.length; at += 4) if (data[at]) marked += 1
    return marked / (data.length / 4)
  })

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

for (const width of [1280, 360])
  test(`a marked part is changed and compared at ${width} px (S10.820, S10.830, S10.835)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 })
    const mark = width === 360 ? strokeByFinger : stroke
    await draw(page, 'Горы')
    await page.getByRole('dialog').getByRole('button', { name: 'Изменить' }).click()
    const dialog = page.getByRole('dialog', { name: 'Изменить картинку' })
    await dialog.getByRole('textbox', { name: 'Что изменить' }).fill('Сделай красным')
    const area = dialog.getByTestId('area')
    await mark(page, area)
    // A whole diagonal stroke, not only the place where it began.
    expect(await markedShare(area)).toBeGreaterThan(0.03)
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

test('a change lost with the server is free and opens again (S10.826)', async ({ page, server }) => {
  await draw(page, 'Озеро')
  await page.getByRole('dialog').getByRole('button', { name: 'Изменить' }).click()
  const dialog = page.getByRole('dialog', { name: 'Изменить картинку' })
  await dialog.getByRole('textbox', { name: 'Что изменить' }).fill('Лёд, медленно 5')
  await stroke(page, dialog.getByTestId('area'))
  const accepted = page.waitForResponse((response) => response.url().endsWith('/change'))
  await dialog.getByRole('button', { name: /^Изменить · / }).click()
  await accepted
  await server.kill()
  await page.goto('/images')
  const failed = gallery(page).locator('[data-image]', { hasText: 'Символы не списаны' })
  await expect(failed).toBeVisible()
  await expect(page.getByText('останется 16 000')).toBeVisible()
  await failed.getByRole('button', { name: /^Повторить/ }).click()
  await expect(dialog.getByRole('textbox', { name: 'Что изменить' })).toHaveValue('Лёд, медленно 5')
  expect(await markedShare(dialog.getByTestId('area'))).toBeGreaterThan(0.03)
})

for (const width of [1280, 360])
  test(`a chat changes the image in the message at ${width} px (S10.836, S10.839)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 })
    await page.goto('/')
    await page.getByRole('button', { name: /^Модель: / }).click()
    await page.getByRole('option', { name: /Кисть/ }).click()
    const field = page.getByRole('textbox', { name: 'Сообщение' })
    await field.fill('Кот в шляпе')
    await page.getByRole('button', { name: 'Отправить' }).click()
    await expect(page.getByRole('img', { name: 'Кот в шляпе' })).toBeVisible()
    await page.getByRole('article').getByRole('button', { name: 'Изменить', exact: true }).last().click()
    const chip = page.getByRole('group', { name: 'Картинка для изменения' })
    await expect(chip).toBeVisible()
    await field.fill('Сделай красным')
    expect(await violations(page)).toEqual([])
    await expectNoOverflow(page)
    await page.reload()
    await expect(chip.getByRole('img')).toBeVisible()
    await expect(field).toHaveValue('Сделай красным')
    await page.getByRole('button', { name: 'Отправить' }).click()
    await expect(page.getByRole('img', { name: 'Сделай красным' })).toBeVisible()
    await expect(chip).toHaveCount(0)
    await expect(page.getByRole('img', { name: 'Изменяемая картинка' })).toBeVisible()
    await page.getByRole('img', { name: 'Сделай красным' }).click()
    const viewer = page.getByRole('dialog', { name: 'Изображение: Сделай красным' })
    await expect(viewer.getByRole('button', { name: /^Версия/ })).toHaveCount(2)
  })
