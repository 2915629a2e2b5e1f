import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asOwner, chooseRowAction, closeNotice, dragAbove, findNotice, findRow, rowNames, uniqueCode } from './admin.ts'
import { expect, test } from './steps.ts'

async function addPlan(page: Page, name: string) {
  await page.goto('/admin/plans/add')
  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Цена').fill('12,50')
  await page.getByLabel('Сколько символов').fill('700 000')
  await page.getByRole('button', { name: 'Добавить тариф' }).click()
  await expect(page.getByText('Тариф добавлен')).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/plans\/[\w-]{20,}$/)
}

async function archivePlan(page: Page, name: string) {
  await page.goto('/admin/plans')
  await chooseRowAction(page, name, 'Убрать в архив')
  await expect(findRow(page, name).getByText('В архиве')).toBeVisible()
}

test.beforeEach(({ page, server }) => asOwner(page, server))

test('an owner adds a plan and announces a new price to subscribers (S1.29, S2.40)', async ({ page, email }) => {
  const name = `Учёба ${uniqueCode(email)}`
  await page.goto('/admin/plans')
  await page.getByRole('link', { name: 'Добавить тариф' }).click()
  await page.getByLabel('Цена').fill('9,999')
  await page.getByRole('button', { name: 'Добавить тариф' }).click()
  await expect(page.getByText('Заполните это поле')).toBeVisible()
  await expect(page.getByText('Нужна сумма до сотых, например 9,90')).toBeVisible()
  await expect(page.getByText('Нужно целое число')).toBeVisible()
  await expect(page.getByLabel('Название')).toBeFocused()

  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Цена').fill('12,50')
  await page.getByLabel('Сколько символов').fill('500 000')
  await expect(page.getByText(/1\s000 символов обойдутся в 0,025\sBYN/)).toBeVisible()
  await page.getByRole('button', { name: 'Добавить тариф' }).click()
  await expect(page.getByText('Тариф добавлен')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.getByLabel('Цена').fill('15')
  await expect(page.getByText('Подписчики узнают о новых условиях')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Тариф сохранён')).toBeVisible()
  await expect(page.getByText('Всё сохранено')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Цена')).toHaveValue('15,00')
  await archivePlan(page, name)
})

test('an owner orders plans by dragging and keys; refusals are undone (S1.29)', async ({ page, email }) => {
  const name = `Порядок ${uniqueCode(email)}`
  await addPlan(page, name)
  await page.goto('/admin/plans')
  await expect(findRow(page, name)).toBeVisible()
  const before = await rowNames(page)
  await dragAbove(page, name, 'Старт')
  await expect.poll(() => rowNames(page)).toEqual([name, ...before.filter((each) => each !== name)])
  await expect(findRow(page, name).getByText('По умолчанию')).toBeVisible()
  await page.reload()
  await expect(findRow(page, name)).toBeVisible()
  expect((await rowNames(page))[0]).toBe(name)

  await page.getByRole('button', { name: `Переместить: ${name}` }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await rowNames(page))[1]).toBe(name)
  await expect(page.getByText(`${name}: место 2 из ${before.length}`)).toBeAttached()
  await expect(page.getByRole('button', { name: `Переместить: ${name}` })).toBeFocused()

  await page.route('**/api/plans/order', (route) =>
    route.fulfill({ status: 409, json: { status: 409, code: 'conflict', message: 'Список успел измениться.' } }),
  )
  const filtered = await rowNames(page)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('409: Список успел измениться.')).toBeVisible()
  await expect.poll(() => rowNames(page)).toEqual(filtered)
  await archivePlan(page, name)
})

test('an archived plan is not on sale, and «Отменить» restores it (S1.29)', async ({ page, email }) => {
  const name = `Архив ${uniqueCode(email)}`
  await addPlan(page, name)
  await archivePlan(page, name)
  await findNotice(page, `Тариф «${name}» в архиве`).getByRole('button', { name: 'Отменить' }).click()
  await expect(findRow(page, name).getByText('В продаже')).toBeVisible()
  await page.goto('/profile#plan')
  await expect(page.getByRole('radio', { name })).toBeVisible()
  await archivePlan(page, name)
  await page.getByLabel('Состояние').selectOption('В архиве')
  await expect(page).toHaveURL(/state=archived/)
  await expect(findRow(page, name)).toBeVisible()
  await expect(findRow(page, 'Старт')).toHaveCount(0)
  await page.goto('/profile#plan')
  await expect(page.getByRole('radio', { name: 'Старт' })).toBeVisible()
  await expect(page.getByRole('radio', { name })).toHaveCount(0)
})

test('unsaved changes are protected from links and from «Back»', async ({ page }) => {
  await page.goto('/admin/plans')
  await page.getByRole('link', { name: 'Старт' }).click()
  await page.getByLabel('Название').fill('Старт и ещё что-то')
  await expect(page.getByText('Есть несохранённые изменения')).toBeVisible()
  const here = page.url()
  await page.getByRole('main').getByRole('link', { name: 'Тарифы' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Остаться' }).click()
  await page.evaluate(() => history.back())
  await expect(page.getByRole('dialog', { name: 'Уйти без сохранения?' })).toBeVisible()
  expect(page.url()).toBe(here)
  await page.getByRole('button', { name: 'Уйти без сохранения' }).click()
  await expect(page).toHaveURL(/\/admin\/plans$/)
  await expect(page.getByRole('link', { name: 'Старт', exact: true })).toBeVisible()
})

test('an owner adds, changes and deletes a bundle, with an undo (S1.29, S2.40)', async ({ page, email }) => {
  const name = `Запас ${uniqueCode(email)}`
  await page.goto('/admin/tokens-bundles')
  await page.getByRole('button', { name: 'Добавить пакет' }).click()
  const dialog = page.getByRole('dialog', { name: 'Новый пакет' })
  await dialog.getByLabel('Название').fill(name)
  await dialog.getByLabel('Сколько символов').fill('50 000')
  await dialog.getByRole('button', { name: 'Добавить пакет' }).click()
  await expect(dialog.getByText('Нужна сумма до сотых, например 9,90')).toBeVisible()
  await dialog.getByLabel('Цена').fill('2,20')
  await dialog.getByRole('button', { name: 'Добавить пакет' }).click()
  await expect(page.getByText('Пакет добавлен')).toBeVisible()
  await expect(findRow(page, name)).toContainText(/2,20\sBYN/)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
  const csv = await readFile(await file.path(), 'utf8')
  expect(csv).toMatch(/^\uFEFFНазвание;Символы;Цена;/)
  expect(csv).toContain(`\r\n${name};50000;`)

  await page.getByRole('button', { name, exact: true }).click()
  await expect(page).toHaveURL(/edit=/)
  await page.getByRole('dialog').getByLabel('Цена').fill('2,60')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Остаться' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click()
  await expect(findRow(page, name)).toContainText(/2,60\sBYN/)

  await chooseRowAction(page, name, 'Удалить насовсем')
  await expect(findRow(page, name)).toHaveCount(0)
  await findNotice(page, `Пакет «${name}» удалён`).getByRole('button', { name: 'Отменить' }).click()
  await expect(findRow(page, name)).toBeVisible()
  await chooseRowAction(page, name, 'Удалить насовсем')
  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await closeNotice(page, `Пакет «${name}» удалён`)
  expect((await gone).status()).toBe(200)
  await page.reload()
  await expect(findRow(page, 'Большой пакет')).toBeVisible()
  await expect(findRow(page, name)).toHaveCount(0)
})
