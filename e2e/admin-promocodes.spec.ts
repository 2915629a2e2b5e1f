import { readFile } from 'node:fs/promises'
import { asOwner, findNotice, findRow, uniqueCode } from './admin.ts'
import { expect, search, test } from './steps.ts'

test.beforeEach(({ page, server }) => asOwner(page, server))

test('an owner makes a promo code, and its page shows its uses (S1.29, S2.40)', async ({ page, email }) => {
  const code = `LETO-${uniqueCode(email)}`
  await page.goto('/admin/promocodes/add')
  await page.getByLabel('Название для вас').fill(`Лето ${uniqueCode(email)}`)
  await page.getByLabel('Что вводят люди').fill('абв')
  await page.getByLabel('Сколько символов').fill('0')
  await page.getByRole('button', { name: 'Создать промокод' }).click()
  await expect(page.getByText('Не меньше 4 знаков')).toBeVisible()
  await expect(page.getByText('Выберите, кто сможет применить код')).toBeVisible()
  await page.getByText('Один человек').click()
  await page.getByLabel('Что вводят люди').fill(code.toLowerCase())
  await expect(page.getByText('Код или добавляет символы, или даёт скидку', { exact: false })).toBeVisible()
  await page.getByLabel('Сколько символов').fill('3 000')
  await page.getByRole('button', { name: 'Создать промокод' }).click()
  await expect(page.getByRole('heading', { name: 'Создан 1 промокод' })).toBeVisible()
  await expect(page.getByText(code, { exact: true })).toBeVisible()

  await page.goto('/profile#promo')
  await page.getByRole('textbox', { name: 'Промокод' }).fill(code)
  await page.getByRole('button', { name: 'Применить' }).click()
  await expect(page.getByText(/3\s000\sсимволов/).first()).toBeVisible()

  await page.goto('/admin/promocodes')
  await search(page, page.getByRole('searchbox'), code)
  const name = `Лето ${uniqueCode(email)}`
  await expect(page.getByRole('link', { name })).toHaveCount(1)
  await search(page, page.getByRole('searchbox'), name.toLowerCase())
  await expect(findRow(page, name)).toContainText('Израсходован')
  await page.getByRole('link', { name }).click()
  await expect(page.getByText('Роздано символов')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Кто применил' })).toContainText('owner@example.test')
  await page.getByText('Несколько', { exact: true }).click()
  await page.getByLabel('Сколько человек').fill('5')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Промокод сохранён')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Действует')
})

test('an owner downloads a batch of codes and switches several off (S1.29, S10.92)', async ({ page, email }) => {
  const prefix = `PACK${uniqueCode(email)}-`
  await page.goto('/admin/promocodes/add?make=many')
  await page.getByLabel('Сколько кодов', { exact: true }).fill('25')
  await page.getByLabel('С чего начинаются').fill(prefix)
  await page.getByText('Даёт скидку').click()
  await page.getByLabel('Скидка').fill('15')
  await page.getByText('Один человек').click()
  await page.getByRole('button', { name: 'Создать промокоды' }).click()
  await expect(page.getByRole('heading', { name: 'Создано 25 промокодов' })).toBeVisible()
  await page.getByRole('link', { name: 'К списку промокодов' }).click()
  await expect(page.getByText('Вы ещё не скачали и не скопировали коды.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Остаться' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(26)
  for (const line of lines.slice(1)) expect(line).toMatch(new RegExp(`^${prefix}[2-9A-HJKMNP-Z]{12};0;15;1;`))

  await page.getByRole('link', { name: 'К списку промокодов' }).click()
  await page.getByLabel('Что даёт').selectOption('Скидка')
  await page.getByLabel('На странице').selectOption('20')
  await expect(page).toHaveURL(/gives=discount.*size=20|size=20.*gives=discount/)
  await page.getByRole('button', { name: 'Следующая страница' }).click()
  await expect(page).toHaveURL(/page=2/)
  await page.goBack()
  await expect(page.getByText(/^1–20 из/)).toBeVisible()

  const boxes = page.getByRole('checkbox', { name: /^Выбрать: / })
  await boxes.nth(0).check()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await expect(page.getByText('Выбрано 3')).toBeVisible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Выключить' }).click()
  await expect(page.getByRole('table').getByText('Выключен', { exact: true })).toHaveCount(3)
  await findNotice(page, 'Выключены 3 промокода').getByRole('button', { name: 'Отменить' }).click()
  await expect(page.getByRole('table').getByText('Выключен', { exact: true })).toHaveCount(0)
})
