import type { Page } from '@playwright/test'
import { asOwner, findNotice } from './admin.ts'
import { expect, startSession, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

/** Images: made, looked at, made again, deleted; on their page and in a chat. */

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Что нарисовать' })
const gallery = (page: Page) => page.getByRole('list', { name: 'Изображения' })
const tile = (page: Page, words: string) => gallery(page).getByRole('button', { name: `Открыть: ${words}` })
const drawing = (page: Page) => gallery(page).getByText('Рисую…')

async function make(page: Page, words: string, { n = 1, wait = true } = {}) {
  await prompt(page).fill(words)
  await page.getByRole('radio', { name: String(n), exact: true }).check({ force: true })
  // A model that refuses does so at once: «Рисую…» may be gone before it is checked.
  const accepted = page.waitForResponse((response) => response.request().method() === 'POST')
  await prompt(page).press('Control+Enter')
  await accepted
  if (wait) await expect(drawing(page)).toHaveCount(0)
  else await expect(drawing(page).first()).toBeVisible()
}

async function open(page: Page) {
  await page.goto('/images')
  await expect(page.getByRole('heading', { level: 1, name: 'Изображения', exact: true })).toBeVisible()
}

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('two images cost the shown price and replace their placeholders (S2.40, S10.242)', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('heading', { name: 'Здесь будут ваши изображения' })).toBeVisible()
  await page.getByRole('button', { name: /Рыжий кот на подоконнике/ }).click()
  await expect(prompt(page)).toHaveValue(/Рыжий кот/)
  // At 1280 px all choices are one row below the description.
  const middles = await page
    .getByRole('form', { name: 'Новое изображение' })
    .locator('button:not([type=submit]), fieldset')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ y, height }) => y + height / 2))
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3)
  await page.getByRole('radio', { name: 'Широкое' }).check({ force: true })
  await page.getByRole('radio', { name: '2', exact: true }).check({ force: true })
  await expect(page.getByText('2 изображения · 4 000 символов, останется 16 000')).toBeVisible()
  await page.getByRole('button', { name: 'Нарисовать' }).click()
  await expect(drawing(page)).toHaveCount(2)
  const box = await gallery(page).locator('[data-image]').first().boundingBox()
  await expect(gallery(page).getByRole('button', { name: /Открыть: Рыжий кот/ })).toHaveCount(2)
  expect(await gallery(page).locator('[data-image]').first().boundingBox()).toEqual(box)
  expect(box?.width).toBeCloseTo(box?.height ?? 0, 0)
  await expect(page.getByText(/2 изображения · .* из 2\sГБ/)).toBeVisible()
  await expect(page.getByText('2 изображения · 4 000 символов, останется 12 000')).toBeVisible()
})

test('a reload keeps the description and the drawing in progress (S3.34)', async ({ page }) => {
  await open(page)
  await make(page, 'Гора, медленно 3', { wait: false })
  await page.reload()
  await expect(drawing(page)).toBeVisible()
  await expect(prompt(page)).toHaveValue('Гора, медленно 3')
  await expect(tile(page, 'Гора, медленно 3')).toBeVisible()
})

test('a drawing lost with the server is free and can be retried', async ({ page, server }) => {
  await open(page)
  await make(page, 'Море, медленно 5', { wait: false })
  await server.kill()
  await page.reload()
  await expect(gallery(page).getByText('Символы не списаны')).toBeVisible()
  await expect(page.getByText('останется 18 000')).toBeVisible()
  await gallery(page).getByRole('button', { name: 'Повторить' }).click()
  await expect(tile(page, 'Море, медленно 5')).toBeVisible()
  await expect(gallery(page).getByText('Символы не списаны')).toHaveCount(0)
})

test('a picture is viewed by keyboard, repeated, and its description reused (S1.20)', async ({ page }) => {
  await open(page)
  await make(page, 'Первая')
  await make(page, 'Вторая')
  await tile(page, 'Вторая').focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('dialog', { name: 'Изображение: Вторая' })
  await expect(box.getByRole('img', { name: 'Вторая' })).toBeVisible()
  await expect(box.getByRole('button', { name: 'Закрыть' })).toBeFocused()
  await expect(box).toContainText('Кисть')
  await expect(box).toContainText('1024 × 1024')
  await expect(box).toContainText('2 000 символов')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Изображение: Первая' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(box).toBeVisible()
  await page.reload()
  await expect(box).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tile(page, 'Первая').click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Скачать' }).click()
  expect((await download).suggestedFilename()).toMatch(/^Первая\.png$/)
  await page.getByRole('dialog').getByRole('button', { name: 'Нарисовать ещё' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(gallery(page).getByRole('button', { name: 'Открыть: Первая' })).toHaveCount(2)
})

test('selected pictures are deleted together, with an undo (S1.20)', async ({ page }) => {
  await open(page)
  await make(page, 'Лишняя', { n: 2 })
  await make(page, 'Нужная')
  for (const box of await page.getByRole('checkbox', { name: 'Выбрать: Лишняя' }).all())
    await box.check({ force: true })
  await expect(page.getByRole('toolbar')).toContainText('Выбрано 2')
  await page.getByRole('toolbar').getByRole('button', { name: 'Удалить' }).click()
  await expect(gallery(page).locator('[data-image]')).toHaveCount(1)
  await findNotice(page, '2 изображения удалены').getByRole('button', { name: 'Отменить' }).click()
  await expect(gallery(page).locator('[data-image]')).toHaveCount(3)
  await tile(page, 'Нужная').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(gallery(page).locator('[data-image]')).toHaveCount(2)
  const gone = page.waitForResponse((response) => response.url().endsWith('/api/images/delete'))
  await findNotice(page, 'Изображение удалено')
    .getByRole('button', { name: /Закрыть|Close/ })
    .click()
  await gone
  await page.reload()
  await expect(gallery(page).locator('[data-image]')).toHaveCount(2)
})

test('a refused description says why and is free; search finds pictures', async ({ page }) => {
  await open(page)
  await make(page, 'Это запрещено')
  await expect(gallery(page)).toContainText('Модель отказалась это рисовать по своим правилам')
  await expect(page.getByText('останется 18 000')).toBeVisible()
  await gallery(page).getByRole('button', { name: 'Убрать' }).click()
  await make(page, 'Рыжие коты')
  await make(page, 'Синее море')
  await page.getByRole('searchbox', { name: 'Найти по описанию' }).fill('рыжий кот')
  await expect(tile(page, 'Синее море')).toHaveCount(0)
  await expect(tile(page, 'Рыжие коты')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Найти по описанию' }).fill('дирижабль')
  await expect(page.getByRole('heading', { name: 'Ничего не нашлось' })).toBeVisible()
  await page.getByRole('button', { name: 'Показать все' }).click()
  await expect(gallery(page).locator('[data-image]')).toHaveCount(2)
})

test('the price warns before anything is asked when symbols are too few', async ({ page, server, browser }) => {
  await page.goto('/')
  const context = await browser.newContext({ baseURL: server.url })
  const owner = await context.newPage()
  await asOwner(owner, server)
  const me = (await (await page.request.get('/api/users/me')).json()) as { id: string }
  const taken = await owner.request.post(`/api/users/${me.id}/gift`, {
    data: { symbols: -17_000, reason: 'для проверки' },
    headers: { origin: server.url },
  })
  expect(taken.ok()).toBe(true)
  await context.close()
  await open(page)
  await prompt(page).fill('Кот')
  await expect(page.getByText('1 изображение · 2 000 символов, останется 1 000')).toBeVisible()
  await page.getByRole('radio', { name: '2', exact: true }).check({ force: true })
  await expect(page.getByText('2 изображения · 4 000 символов, а на балансе 3 000')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Нарисовать' })).toBeDisabled()
  await page.getByRole('main').getByRole('link', { name: 'Пополнить' }).click()
  await expect(page).toHaveURL(/\/profile/)
})

test('a chat with a drawing model answers with a picture', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^Модель: / }).click()
  await expect(page.getByRole('listbox', { name: 'Модели' })).toContainText('Изображения')
  await page.getByRole('option', { name: /Кисть/ }).click()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Кот в шляпе')
  await expect(page.getByText('Изображение 2 000 символов · останется 18 000')).toBeVisible()
  await page.getByRole('button', { name: 'Отправить' }).click()
  await expect(page).toHaveURL(/\/threads\//)
  const image = page.getByRole('img', { name: 'Кот в шляпе' })
  await expect(image).toBeVisible()
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1024)
  await page.getByRole('button', { name: '2 000 символов' }).click()
  await expect(page.getByRole('dialog')).toContainText('Цена одного изображения')
  await page.keyboard.press('Escape')
  const chat = page.url()
  await image.click()
  await expect(page).toHaveURL(/\/images\?image=/)
  const box = page.getByRole('dialog', { name: 'Изображение: Кот в шляпе' })
  await expect(box.getByRole('link', { name: 'Открыть чат' })).toHaveAttribute('href', /\/threads\//)
  await box.getByRole('button', { name: 'Удалить' }).click()
  const gone = page.waitForResponse((response) => response.url().endsWith('/api/images/delete'))
  await findNotice(page, 'Изображение удалено')
    .getByRole('button', { name: /Закрыть|Close/ })
    .click()
  await gone
  await page.goto(chat)
  await expect(page.getByRole('main').getByText('Изображение удалено')).toBeVisible()
})

for (const theme of ['light', 'dark'] as const)
  test(`on a narrow ${theme} screen everything fits and can be reached`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width: 360, height: 740 })
    await open(page)
    await make(page, 'Узкая', { n: 2 })
    await expectNoOverflow(page)
    await tile(page, 'Узкая').first().click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Нарисовать ещё' })).toBeInViewport()
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'Следующее' }).click()
    await expect(page.getByRole('button', { name: 'Предыдущее' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
