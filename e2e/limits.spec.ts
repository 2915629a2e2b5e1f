import type { Page } from '@playwright/test'
import { asOwner, findRow } from './admin.ts'
import { expect, signIn, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })
const log = (page: Page) => page.getByRole('log', { name: 'Сообщения чата' })

async function say(page: Page, text: string) {
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
}

test.beforeAll(async ({ server }) => {
  await server.restart({ LIMITS: 'sends=2/600, password-user=2/900' })
})
test.afterAll(async ({ server }) => {
  await server.restart()
})

test('a person who sends too much reads when to continue', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await say(page, 'Первое')
  await expect(log(page)).toContainText('Вы спросили: «Первое».')
  await say(page, 'Второе')
  await expect(log(page)).toContainText('Вы спросили: «Второе».')
  await say(page, 'Третье, с длинной мыслью')
  const rejection = log(page).getByRole('alert')
  await expect(rejection).toContainText(/Слишком много сообщений подряд\. Продолжить можно через \d+ мин\./)
  await page.getByRole('button', { name: 'Изменить', exact: true }).last().click()
  await expect(field(page)).toHaveValue('Третье, с длинной мыслью')
  await expect(rejection).toHaveCount(0)
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(rejection).toContainText('Слишком много сообщений подряд.')
  await expect(page.getByRole('button', { name: /^Повторить/ })).toBeVisible()
})

test('a person who guesses a password reads when to try again', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#password')
  await page.getByRole('button', { name: 'Создать пароль' }).click()
  const created = page.getByRole('dialog')
  await created.getByLabel('Пароль', { exact: true }).fill('correct horse battery')
  await created.getByRole('button', { name: /пароль/i }).click()
  await expect(page.getByText('Пароль задан.')).toBeVisible()
  await page.getByRole('button', { name: 'Сменить пароль' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Новый пароль').fill('another good password')
  for (const guess of ['first wrong guess', 'second wrong guess', 'third wrong guess']) {
    await dialog.getByLabel('Нынешний пароль').fill(guess)
    await dialog.getByRole('button', { name: 'Сменить пароль' }).click()
    await expect(dialog.getByRole('button', { name: 'Сменить пароль' })).toBeEnabled()
  }
  await expect(dialog).toContainText(/Слишком много неверных паролей\. Продолжить можно через 15 мин\./)
  await expect(dialog.getByLabel('Новый пароль')).toHaveValue('another good password')
})

test('the owner sees every limit, its changes and its refusals', async ({ page, server }) => {
  await asOwner(page, server)
  await page.goto('/admin/limits')
  await expect(page.getByRole('heading', { name: 'Ограничения', level: 1 })).toBeVisible()
  const sends = findRow(page, 'Сообщения и новые варианты ответа')
  await expect(sends).toContainText('2 за 10 минут')
  await expect(sends).toContainText('Изменено, обычно 30 за минуту')
  await expect(sends).toContainText('sends=2/600')
  await expect(page.getByText('LIMITS="password-user=2/900, sends=2/600"')).toBeVisible()
  await page.getByRole('searchbox').fill('промпт')
  await expect(findRow(page, 'Свои промпты')).toContainText('stored-prompts=2000')
  await expect(sends).toHaveCount(0)
  await expectGoodVisuals(page, '/admin/limits')
})
