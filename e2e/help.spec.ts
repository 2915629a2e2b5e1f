import type { Page } from '@playwright/test'
import { asOwner } from './admin.ts'
import { expect, signIn, startSession, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('the search finds other word forms, and Back returns to it', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.getByRole('link', { name: 'Помощь' }).click()
  await expect(page.getByRole('heading', { name: 'Символы и оплата' })).toBeVisible()
  await page.getByLabel('Поиск по помощи').fill('отозванные банком платежи')
  const found = page.getByRole('region', { name: 'Найденное' }).getByRole('link')
  await expect(found.first()).toContainText('Возврат денег')
  await found.first().click()
  await expect(title(page, 'Возврат денег')).toBeVisible()
  await expect(page).toHaveURL(/\/help\/money\/refunds#esli-platezh-osporen-cherez-bank$/)
  await expect(page.getByRole('heading', { name: 'Если платёж оспорен через банк' })).toBeInViewport()
  await expect(page).toHaveTitle('Возврат денег · Символ')
  await page.goBack()
  await expect(page.getByLabel('Поиск по помощи')).toHaveValue('отозванные банком платежи')
  await expect(found.first()).toContainText('Возврат денег')
})

test('a search that finds nothing says so and offers the contents', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/help?query=квазистационарность')
  await expect(page.getByText('Ничего не нашлось', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: 'Первые шаги' }).click()
  await expect(title(page, 'Первые шаги')).toBeVisible()
})

test('a help page has contents, and its links need no reload (S1.17, S2.40)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/help/money/why')
  await expect(title(page, 'Почему списано столько?')).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await page.getByRole('navigation', { name: 'На этой странице' }).getByRole('link').last().click()
  await expect(page.getByRole('heading', { name: 'Я всё равно не согласен' })).toBeInViewport()
  await page.getByRole('article').getByRole('link', { name: 'Как считаются символы' }).first().click()
  await expect(title(page, 'Как считаются символы')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/help/money/how-symbols-are-counted`)
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
})

test('next and previous lead through the pages in order (S10.102)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/help/start/first-steps')
  const neighbours = page.getByRole('navigation', { name: 'Соседние страницы' })
  await expect(neighbours.getByRole('link')).toHaveCount(1)
  await neighbours.getByRole('link', { name: /^Дальше/ }).click()
  await expect(title(page, 'Как выбрать модель')).toBeVisible()
  await expect(page).toHaveTitle('Как выбрать модель · Символ')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await neighbours.getByRole('link', { name: /^Назад/ }).click()
  await expect(title(page, 'Первые шаги')).toBeVisible()
  await expect(page).toHaveTitle('Первые шаги · Символ')
})

test('a missing page is a 404 with a way home (S10.102)', async ({ page, server, email, browserErrors }) => {
  await startSession(page, server, email)
  await page.goto('/help/money/no-such-page')
  await expect(title(page, '404')).toBeVisible()
  await expect(page.getByText('Такой страницы помощи нет')).toBeVisible()
  // React logs every error that an error page is shown for.
  expect(browserErrors.splice(0)).toEqual([expect.stringContaining('Такой страницы помощи нет')])
  await page.getByRole('link', { name: 'Хочу домой' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a person rates a page and can change the rating', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/help/start/keyboard')
  const answer = (name: string) =>
    page.getByRole('region', { name: 'Была ли страница полезна?' }).getByRole('button', { name })
  const saved = page.waitForResponse('**/api/help/feedback')
  await answer('Да').click()
  await saved
  await page.reload()
  await expect(answer('Да')).toHaveAttribute('aria-pressed', 'true')
  await answer('Нет').click()
  await expect(answer('Да')).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('link', { name: 'напишите в поддержку' })).toBeVisible()
})

test('a stranger reads help about signing in and paying, no other (S10.102)', async ({ page, server }) => {
  await page.goto('/help/account/sign-in-letter')
  await expect(title(page, 'Письмо для входа не приходит')).toBeVisible()
  await expect(page.getByRole('complementary')).toHaveCount(0)
  await expect(page.getByText('Была ли страница полезна?')).toHaveCount(0)
  await page.getByRole('link', { name: /^Дальше/ }).click()
  await expect(title(page, 'Способы входа')).toBeVisible()
  await page.goto('/help/start/keyboard')
  await expect(page).toHaveURL(`${server.url}/auth/signin`)
  await page.goto('/help')
  await expect(page).toHaveURL(`${server.url}/auth/signin`)
})

test('at 360 px nothing overflows, signed out and signed in', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/help/money/plans-and-bundles')
  await expect(title(page, 'Подписка или пакет')).toBeVisible()
  await expectNoOverflow(page)
  await startSession(page, server, email)
  const look = async (...addresses: string[]) => {
    for (const path of addresses) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoOverflow(page, path)
    }
  }
  await look('/help', '/help?query=символ', '/help/money/why')
  await page.context().clearCookies()
  await asOwner(page, server)
  await look('/help/owners/backups', '/help/owners/payments')
})

test('a printed page is the text alone', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/help/account/terms')
  await expect(title(page, 'Условия использования')).toBeVisible()
  await page.getByRole('button', { name: /^Меню пользователя/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByText('Условия использования').first()).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
})
