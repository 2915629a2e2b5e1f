import type { Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { expect, linkIn, signIn, startSession, test } from './steps.ts'

const password = 'a long enough password'

async function createPassword(page: Page, value: string) {
  await page.goto('/profile/account#password')
  await page.getByRole('button', { name: 'Создать пароль' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Пароль', { exact: true }).fill(value)
  await dialog.getByRole('button', { name: /пароль/i }).click()
  await expect(page.getByText('Пароль задан.')).toBeVisible()
}

async function signInWithPassword(page: Page, server: TestServer, email: string, value: string) {
  await page.goto('/auth/signin')
  await page.getByText('Другие способы').click()
  await page.getByRole('link', { name: 'Войти с паролем' }).click()
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/`)
}

test('a person creates and changes a password, which ends other sessions (S4.20)', async ({
  page,
  browser,
  server,
  email,
}) => {
  await startSession(page, server, email)
  await createPassword(page, password)

  const laptop = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await laptop.goto('/auth/signin')
  await laptop.getByText('Другие способы').click()
  await laptop.getByRole('link', { name: 'Войти с паролем' }).click()
  await laptop.getByLabel('Электронная почта').fill(email)
  await laptop.getByLabel('Пароль', { exact: true }).fill('not the password')
  await laptop.getByRole('button', { name: 'Войти', exact: true }).click()
  await expect(laptop.getByText(/пароль/i).last()).toBeVisible()
  await signInWithPassword(laptop, server, email, password)

  await page.getByRole('button', { name: 'Сменить пароль' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Нынешний пароль').fill(password)
  await dialog.getByLabel('Новый пароль').fill(`${password}, newer`)
  const others = dialog.getByLabel('Выйти на остальных устройствах')
  if (!(await others.isChecked())) await others.check()
  await dialog.getByRole('button', { name: 'Сменить пароль' }).click()
  await expect(dialog).toBeHidden()
  await expect(laptop).toHaveURL(/\/auth\/signin/)
  await expect(page).toHaveURL(/\/profile/)
  await laptop.close()
})

test('a forgotten password is reset by an emailed link, which works once (S1.2)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await createPassword(page, password)
  // Otherwise the page would notice the lost session and redirect back to itself after the next sign-in.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/auth/signin')
  await page.getByText('Другие способы').click()
  await page.getByRole('link', { name: 'Войти с паролем' }).click()
  await page.getByRole('link', { name: 'Забыли пароль?' }).click()
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: /письмо/i }).click()
  await expect(page.getByText(email)).toBeVisible()

  const link = await linkIn(server, email, /Новый пароль/)
  await page.goto(link)
  await page.getByLabel('Новый пароль', { exact: true }).fill('another good password')
  await page
    .getByRole('button', { name: /пароль/i })
    .last()
    .click()
  await expect(page.getByText('Пароль изменён.', { exact: false })).toBeVisible()
  await signInWithPassword(page, server, email, 'another good password')

  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByText('Код недействителен')).toBeVisible()
})

test('a person creates an account with a password and confirms the email (S1.2, S7.73)', async ({
  page,
  server,
  email,
}) => {
  await page.goto('/auth/signin')
  await page.getByText('Другие способы').click()
  await page.getByRole('link', { name: 'Войти с паролем' }).click()
  await page.getByRole('link', { name: 'Создать аккаунт с паролем' }).click()
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.getByRole('button', { name: /аккаунт/i }).click()
  await expect(page.getByRole('heading', { name: 'Проверьте почту' })).toBeVisible()
  await page.goto(await linkIn(server, email, /Подтвердите почту/))
  await signInWithPassword(page, server, email, password)
})

test('a confirmed email changes after links to both addresses (S1.2, S4.21)', async ({ page, server, email }) => {
  const newEmail = `new-${email}`
  await startSession(page, server, email)
  await page.goto('/profile/account#email')
  await page.getByRole('button', { name: 'Сменить адрес' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Новый адрес').fill(newEmail)
  await dialog.getByRole('button', { name: 'Отправить письмо' }).click()
  await expect(dialog.getByText('Осталось два письма')).toBeVisible()

  await page.goto(await linkIn(server, email, /Смена почты/))
  await page.goto('/profile/account#email')
  await expect(page.getByText(email, { exact: true }).first()).toBeVisible()
  await page.goto(await linkIn(server, newEmail, /Подтвердите новую почту/))
  await page.goto('/profile/account#email')
  await expect(page.getByText(newEmail, { exact: true }).first()).toBeVisible()
  await expect
    .poll(async () => (await server.emails(email)).map(({ subject }) => subject))
    .toContainEqual(expect.stringContaining('изменена'))
})

test('an unconfirmed email changes at once and must be confirmed (S4.21, S7.73)', async ({ page, server, email }) => {
  const newEmail = `fresh-${email}`
  await startSession(page, server, email)
  await server.rewrite(`update users set email_verified = false where email = '${email}'`)

  await page.goto('/profile/account#email')
  await expect(page.getByText('Ещё не подтверждена.')).toBeVisible()
  await page.getByRole('button', { name: 'Сменить адрес' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Новый адрес').fill(newEmail)
  await dialog.getByRole('button', { name: 'Сменить адрес' }).click()
  await expect(dialog.getByText('Адрес изменён')).toBeVisible()
  await page.goto(await linkIn(server, newEmail, /Подтвердите почту/))
  await page.goto('/profile/account#email')
  await expect(page.getByText(newEmail, { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Подтверждена.', { exact: false }).first()).toBeVisible()
})

test('a changed name shows at once and after a reload (S1.17, S2.40, S7.73)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#account')
  await page.getByLabel('Имя').fill('Анна Петровна')
  await page.getByRole('button', { name: /Сохранить/ }).click()
  await expect(page.getByRole('button', { name: /Меню пользователя: Анна Петровна/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /Меню пользователя: Анна Петровна/ })).toBeVisible()
})

test('another session is seen and ended from the profile (S2.40)', async ({ page, browser, server, email }) => {
  await startSession(page, server, email)
  const phone = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await signIn(phone, server, email)
  await page.goto('/profile/account#sessions')
  await page
    .getByRole('button', { name: /Завершить сеанс/ })
    .first()
    .click()
  await expect(phone).toHaveURL(/\/auth\/signin/)
  await expect(page).toHaveURL(/\/profile/)
  await phone.close()
})

test('an account is deleted by link, and its address signs up again (S1.2)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#delete')
  await page.getByRole('button', { name: 'Удалить аккаунт' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отправить письмо' }).click()
  await page.goto(await linkIn(server, email, /Удаление/))
  await expect(page).toHaveURL(/\/auth\/signin/)
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/auth\/signin/)
})
