import type { Browser, Page } from '@playwright/test'
import { asOwner, findRow } from './admin.ts'
import type { TestServer } from './server.ts'
import { expect, signIn, test } from './steps.ts'
import { ask, createThreads } from './thread-steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

async function anotherPerson(browser: Browser, server: TestServer, email: string): Promise<Page> {
  const headers = { 'x-forwarded-for': '10.20.30.40' }
  const context = await browser.newContext({ baseURL: server.url, extraHTTPHeaders: headers })
  const page = await context.newPage()
  await signIn(page, server, email)
  return page
}

async function dispute(page: Page, reason: string) {
  const [id] = await createThreads(page, 'Вопрос')
  await ask(page, id, 'Сколько будет дважды два?')
  await page.goto('/profile/operations#operations')
  const charge = page.getByRole('listitem').filter({ hasText: 'Ответ в чате' }).first()
  await charge.locator('summary').click()
  await charge.getByRole('button', { name: 'Оспорить' }).click()
  await page.getByLabel('Что не так?').fill(reason)
  await page.getByRole('button', { name: 'Отправить на проверку' }).click()
  await expect(charge).toContainText('списание оспорено')
  await expect(charge).toContainText('Мы проверяем это списание.')
  return charge
}

test('a user disputes a charge, and the owner returns a part', async ({ page, server, email, browser }) => {
  const anna = await anotherPerson(browser, server, email)
  const charge = await dispute(anna, 'Ответ оборвался на полуслове')

  await asOwner(page, server)
  await page.goto('/admin/statistic')
  await page.getByRole('link', { name: /^Оспоренное\s?\d+ ждут решения$/ }).click()
  await expect(findRow(page, email)).toContainText('Ответ оборвался на полуслове')
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ждёт решения')
  await expect(page.getByText('сами тексты принадлежат пользователю', { exact: false })).toBeVisible()
  await expect(page.getByText('дважды два')).toHaveCount(0)
  await expect(page.getByText('Вопрос', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Вернуть символы' }).click()
  const dialog = page.getByRole('dialog', { name: 'Вернуть символы' })
  await dialog.getByLabel('Сколько вернуть').fill('999999')
  await dialog.getByRole('button', { name: 'Вернуть', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('больше вернуть нельзя')
  await dialog.getByLabel('Сколько вернуть').fill('7')
  await dialog.getByLabel('Ответ, если нужен').fill('Вы правы, вернули часть')
  await dialog.getByRole('button', { name: /^Вернуть 7\sсимволов$/ }).click()
  await expect(page.getByText(/^Возвращено: 7\sсимволов$/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Вернуть символы' })).toHaveCount(0)

  await expect(charge).toContainText('возвращено 7')
  await expect(charge).toContainText('Вы правы, вернули часть')
  await expect(anna.getByRole('listitem').filter({ hasText: 'Возврат символов' }).first()).toContainText('+7')
  const subjects = async () => (await server.emails(email)).map(({ subject }) => subject)
  await expect.poll(subjects).toContain('Символы возвращены: 7 символов')

  await page.goto('/admin/audit?kind=dispute')
  await findRow(page, email).getByRole('button', { name: 'Оспоренное возвращено' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Символы\s*7Операция/)
  await anna.context().close()
})

test('the owner rejects a dispute on a phone and gives the reason', async ({ page, server, email, browser }) => {
  const anna = await anotherPerson(browser, server, email)
  const charge = await dispute(anna, 'Почему так много?')
  await page.setViewportSize({ width: 360, height: 760 })
  await asOwner(page, server)
  await page.goto('/admin/disputes')
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('button', { name: 'Отказать с объяснением' }).click()
  const dialog = page.getByRole('dialog', { name: 'Отказать в возврате' })
  await dialog.getByRole('button', { name: 'Отправить отказ' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Напишите, почему')
  await dialog.getByLabel('Почему списание верное').fill('С вопросом ушла история чата')
  await dialog.getByRole('button', { name: 'Отправить отказ' }).click()
  await expect(page.getByText('В возврате отказано')).toBeVisible()
  await page.getByRole('link', { name: 'Оспоренные списания' }).click()
  await expect(page.getByRole('link', { name: email })).toHaveCount(0)
  await page.getByRole('button', { name: 'Фильтры' }).click()
  await page.getByLabel('Состояние').selectOption('С отказом')
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  await expect(charge).toContainText('проверено, ошибки нет')
  await expect(charge).toContainText('С вопросом ушла история чата')
  await anna.context().close()
})

test('the second admin sees that the dispute is decided', async ({ page, server, email, browser }) => {
  const anna = await anotherPerson(browser, server, email)
  await dispute(anna, 'Не согласна')
  await anna.context().close()
  await asOwner(page, server)
  await page.goto('/admin/disputes')
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('button', { name: 'Вернуть символы' }).click()
  const id = page.url().split('/').at(-1)
  const data = { answer: 'Уже решено' }
  await page.request.post(`/api/disputes/${id}/refuse`, { headers: { origin: server.url }, data })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Вернуть \d/ })
    .click()
  await expect(page.getByText('Уже решено')).toBeVisible()
  await expect(page.getByText('В возврате отказано')).toBeVisible()
})

test('the queue and a card look right in all widths and themes', async ({ page, server, email, browser }) => {
  const anna = await anotherPerson(browser, server, email)
  await dispute(anna, 'Слишком много за одно слово, мне кажется. Посмотрите, пожалуйста.')
  await asOwner(page, server)
  await page.goto('/admin/disputes?sort=-createdAt')
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('button', { name: 'Вернуть символы' })).toBeVisible()
  const id = page.url().split('/').at(-1)
  await expectGoodVisuals(page, '/admin/disputes', `/admin/disputes/${id}`)
  await expectGoodVisuals(anna, '/profile/operations')
  await anna.context().close()
})
