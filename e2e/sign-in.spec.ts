import type { Page } from '@playwright/test'
import { asOwner } from './admin.ts'
import { expect, linkIn, signIn, startSession, test } from './steps.ts'

test('a visitor gets an email, opens its link and is signed in (S1.1, S1.2, S1.25, S2.40, S2.67, S6.19, S7.73)', async ({
  page,
  server,
  email,
}) => {
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/auth\/signin/)
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect(page).toHaveURL(/\/auth\/email-sended/)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Открыть ящик разработки' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Отправить ещё раз/ })).toBeDisabled()

  await page.goto(await linkIn(server, email, /Вход/))
  await expect(page).toHaveURL(`${server.url}/profile`)
  await expect(page.getByText('20 000 символов').first()).toBeVisible()
})

test('the e-mail-sent page notices a link opened in another tab (S2.40, S7.73)', async ({
  page,
  context,
  server,
  email,
}) => {
  await page.goto('/auth/signin')
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect(page).toHaveURL(/\/auth\/email-sended/)
  const other = await context.newPage()
  await other.goto(await linkIn(server, email, /Вход/))
  await expect(other).toHaveURL(`${server.url}/`)
  await page.bringToFront()
  await expect(page).toHaveURL(`${server.url}/`)
})

async function askFor(page: Page, email: string) {
  await page.goto('/auth/signin')
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect(page).toHaveURL(/\/auth\/email-sended/)
}

test('a link on another device waits for a click', async ({ page, browser, server, email }) => {
  await askFor(page, email)
  const link = await linkIn(server, email, /Вход/)
  const scanner = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await scanner.goto(link)
  await expect(scanner.getByRole('heading', { name: `Войти как ${email}?` })).toBeVisible()
  await scanner.goto('/profile')
  await expect(scanner).toHaveURL(/\/auth\/signin/)

  const phone = await browser.newPage({ baseURL: server.url, locale: 'ru-RU', viewport: { width: 360, height: 740 } })
  await phone.goto(link)
  await phone.getByRole('button', { name: `Войти как ${email}` }).click()
  await expect(phone).toHaveURL(`${server.url}/`)
  await scanner.close()
  await phone.close()
})

test('a link to another account asks first and waits for the answer', async ({ page, browser, server, email }) => {
  const other = `other-${email}`
  const elsewhere = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await askFor(elsewhere, other)
  const link = await linkIn(server, other, /Вход/)
  await signIn(page, server, email)

  const question = page.getByRole('heading', { name: `Вы вошли как ${email}. Войти как ${other}?` })
  await page.goto(link)
  await expect(question).toBeVisible()
  await page.getByRole('link', { name: `Остаться как ${email}` }).click()
  await expect(page.getByRole('button', { name: email.split('@')[0] })).toBeVisible()

  await page.goto(link)
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: `Войти как ${other}` }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('button', { name: other.split('@')[0] })).toBeVisible()
  await elsewhere.close()
})

test('an invalid address is reported at its field (S2.40)', async ({ page }) => {
  await page.goto('/auth/signin')
  await page.getByLabel('Электронная почта').fill('not-an-address')
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect(page.getByLabel('Электронная почта')).toHaveAttribute('aria-invalid', 'true')
  await expect(page).toHaveURL(/\/auth\/signin/)
})

test('a code from the email signs in and opens the requested page (S10.166, S10.174)', async ({
  page,
  server,
  email,
}) => {
  await page.goto('/assistants/create?from=colleague')
  await expect(page).toHaveURL(`${server.url}/auth/signin`)
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  const code = page.getByLabel('Код из письма')
  await expect(code).toBeFocused()
  const link = await linkIn(server, email, /Вход/)
  expect(new URL(link).searchParams.get('callbackURL')).toBe('/assistants/create?from=colleague')
  const [message] = await server.emails(email)
  const digits = message?.subject.match(/\d{6}/)?.[0] ?? ''
  await code.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  await expect(page).toHaveURL(`${server.url}/assistants/create?from=colleague`)
  // The link is used up with the code, and a signed-in person just goes home.
  await page.goto(link)
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a used or wrong link reads «Код недействителен» and offers another (S2.81, S8.5, S10.172)', async ({
  page,
  browser,
  server,
  email,
}) => {
  await askFor(page, email)
  const used = await linkIn(server, email, /Вход/)
  const phone = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await phone.goto(used)
  await phone.getByRole('button', { name: `Войти как ${email}` }).click()
  await expect(phone).toHaveURL(`${server.url}/`)
  await phone.close()
  const again = await page.context().newPage()
  await again.goto(used)
  await expect(again.getByText(/Ссылка уже сработала или ей больше 15/)).toBeVisible()
  await expect(again.getByLabel('Электронная почта')).toHaveValue(email)
  await again.getByRole('button', { name: 'Прислать новую' }).click()
  await expect(again).toHaveURL(/\/auth\/email-sended/)
  await again.close()
  const stranger = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  for (const link of [used, `${server.url}/api/auth/magic-link/open?token=wrong&callbackURL=%2F`]) {
    await stranger.goto(link)
    await expect(stranger.getByText('Код недействителен')).toBeVisible()
    await expect(stranger.getByLabel('Электронная почта')).toHaveValue('')
    await stranger
      .getByRole('button', { name: 'Хочу домой' })
      .or(stranger.getByRole('link', { name: 'Хочу домой' }))
      .click()
    await expect(stranger).toHaveURL(/\/auth\/signin$/)
  }
  await stranger.close()
})

test('a signed-in user is sent home from e-mail-sent and admin pages (S2.67)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/auth/email-sended')
  await expect(page).toHaveURL(`${server.url}/`)
  for (const path of ['/admin/plans', '/admin/users/1', '/admin/statistic']) {
    await page.goto(path)
    await expect(page).toHaveURL(`${server.url}/`)
    await expect(page.getByText('Этот раздел доступен только администратору')).toBeVisible()
  }
  await expect(page.getByRole('link', { name: 'Управление' })).toHaveCount(0)
})

test('an admin by settings sees the admin area (S2.67)', async ({ page, server }) => {
  await asOwner(page, server)
  await page.goto('/')
  await page.getByRole('link', { name: 'Управление' }).click()
  await page.getByRole('link', { name: 'Пользователи' }).click()
  await expect(page).toHaveURL(`${server.url}/admin/users`)
})

test('an unknown route shows 404 and a way home (S2.81)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  const response = await page.goto('/no/such/place')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
  await expect(page.getByRole('complementary').getByRole('link', { name: 'Новый чат' })).toBeVisible()
  await page
    .getByRole('button', { name: 'Хочу домой' })
    .or(page.getByRole('link', { name: 'Хочу домой' }))
    .click()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('signing out in a tab shows in the others (S4.18, S7.73)', async ({ page, context, server, email }) => {
  await signIn(page, server, email)
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByText('20 000 символов').first()).toBeVisible()
  await page.bringToFront()
  await page.getByRole('button', { name: email.split('@')[0] }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/signin/)
  await expect(other).toHaveURL(/\/auth\/signin/)
})
