import type { Page } from '@playwright/test'
import { asOwner } from './admin.ts'
import type { TestServer } from './server.ts'
import { expect, signIn, startSession, test } from './steps.ts'

/** Payments, with the fake gateway that speaks the real protocol: signed webhooks, a pay page, declines. */

const balance = (page: Page) => page.getByRole('complementary').getByRole('link', { name: /символ/ })

/** Thin spaces stand between the digits. */
const reads = (text: string) => new RegExp(`^${text.replaceAll(' ', '\\s')}$`)

async function leaveToPay(page: Page, plan = 'Старт') {
  await page.goto('/profile#plan')
  await page.getByRole('radio', { name: plan }).check()
  await page.getByRole('checkbox', { name: /Соглашаюсь/ }).check()
  await page.getByRole('button', { name: 'Оформить подписку' }).click()
  await expect(page.getByRole('button', { name: 'Оплатить' })).toBeVisible()
}

async function subscribe(page: Page, server: TestServer, email: string) {
  await startSession(page, server, email)
  await leaveToPay(page)
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page.getByText('Зачислено 500 000 символов', { exact: true })).toBeVisible()
}

const subjects = async (server: TestServer, email: string) => (await server.emails(email)).map(({ subject }) => subject)

test('a person subscribes, pays, and symbols arrive without a reload (S1.27, S2.40, S10.66, S10.69, S10.72)', async ({
  page,
  server,
  email,
}) => {
  await startSession(page, server, email)
  await page.goto('/profile#plan')
  await expect(page.getByText('Следующее списание', { exact: true })).toBeVisible()
  await expect(page.getByText('Неиспользованные символы')).toBeVisible()
  const consent = page.getByRole('checkbox', { name: /Соглашаюсь/ })
  await expect(consent).not.toBeChecked()
  await page.getByRole('button', { name: 'Оформить подписку' }).click()
  await expect(page.getByText('Без согласия подписку не оформить', { exact: false })).toBeVisible()

  await leaveToPay(page)
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page).toHaveURL(/\/profile/)
  await expect(page.getByText('Зачислено 500 000 символов', { exact: true })).toBeVisible()
  await expect(balance(page)).toHaveText(reads('520 000 символов'))
  await expect(page.getByText('Оплачено до')).toBeVisible()
  await expect(page.getByText(/9,90\sBYN/).first()).toBeVisible()
  await expect(page.getByText('Следующее списание', { exact: true })).toBeVisible()
  await expect.poll(() => subjects(server, email)).toContainEqual(expect.stringMatching(/оплач|оплат/i))
})

test('a declined card shows a plain message and costs nothing', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await leaveToPay(page)
  await page.getByRole('button', { name: 'Отклонить' }).click()
  await expect(page.getByText('Платёж не прошёл')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Попробовать ещё раз' })).toBeVisible()
  await expect(balance(page)).toHaveText(reads('20 000 символов'))
})

test('the payment page can be closed and opened again (S10.48)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await leaveToPay(page)
  const payPage = page.url()
  await page.goto('/profile#plan')
  await expect(balance(page)).toHaveText(reads('20 000 символов'))
  await leaveToPay(page)
  expect(page.url()).toBe(payPage)
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page.getByText('Зачислено 500 000 символов', { exact: true })).toBeVisible()
})

test('a lost notice of the gateway is replaced by a request (S10.57)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await leaveToPay(page)
  await server.gateway('lose-webhook', { count: 1 })
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page.getByText('Зачислено 500 000 символов', { exact: true })).toBeVisible()
  await expect(balance(page)).toHaveText(reads('520 000 символов'))
})

test('a renewal brings the symbols of the next period, and its email (S10.72)', async ({ page, server, email }) => {
  await subscribe(page, server, email)
  await server.gateway('renew')
  await expect(balance(page)).toHaveText(reads('1 020 000 символов'))
  await expect.poll(() => subjects(server, email)).toContainEqual(expect.stringMatching(/продлен/i))
  await page.goto('/profile/operations#operations')
  await expect(page.getByText(/\+\s?500\s000/).first()).toBeVisible()
})

test('a subscription is cancelled in two clicks, and paid symbols stay (S10.69, S10.72)', async ({
  page,
  server,
  email,
}) => {
  await subscribe(page, server, email)
  await page.goto('/profile#plan')
  await page.getByRole('button', { name: 'Отменить подписку' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Отменить подписку' }).click()
  await expect(page.getByText(/Продление отменено/).first()).toBeVisible()
  await expect(balance(page)).toHaveText(reads('520 000 символов'))
  await expect.poll(() => subjects(server, email)).toContainEqual(expect.stringMatching(/отмен/i))
})

test('a person buys a bundle, and a refund takes its rest (S10.48, S10.56)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile#bundles')
  await page.getByRole('button', { name: 'Купить: Пакет на пробу' }).click()
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page.getByText('Зачислено 100 000 символов', { exact: true })).toBeVisible()
  await expect(balance(page)).toHaveText(reads('120 000 символов'))
  await server.gateway('refund')
  await expect(balance(page)).toHaveText(reads('20 000 символов'))
})

test('a promo code is good, used, expired or guessed (S1.25, S5.31)', async ({ page, browser, server, email }) => {
  const owner = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await asOwner(owner, server)
  const make = (body: Record<string, unknown>) =>
    owner.request.post('/api/promocodes', { headers: { origin: server.url }, data: body })
  const good = `GIFT-${email.slice(7, 12)}`
  const late = `LATE-${email.slice(7, 12)}`
  expect((await make({ code: good, symbols: 5000 })).ok()).toBe(true)
  expect((await make({ code: late, symbols: 5000, expiresAt: '2020-01-01T00:00:00Z' })).ok()).toBe(true)
  await owner.close()

  await startSession(page, server, email)
  await page.goto('/profile#promo')
  const apply = async (code: string) => {
    await page.getByRole('textbox', { name: 'Промокод', exact: true }).fill(code)
    await page.getByRole('button', { name: 'Применить промокод' }).click()
  }
  await apply(good.toLowerCase())
  await expect(page.getByText(/\+5\s?000\sсимволов/).first()).toBeVisible()
  await expect(balance(page)).toHaveText(reads('25 000 символов'))
  await apply(good)
  await expect(page.getByRole('textbox', { name: 'Промокод', exact: true })).toHaveAttribute('aria-invalid', 'true')
  await apply(late)
  await expect(page.getByText(/истёк|закончил/i).first()).toBeVisible()
  for (let i = 0; i < 12; i++)
    await page.request.post(`/api/users/${await idOf(page)}/apply-promocode`, {
      headers: { origin: server.url },
      data: { code: `GUESS-${i}` },
    })
  await apply('GUESS-AGAIN')
  await expect(page.getByText(/Слишком много попыток/).first()).toBeVisible()
  await expect(balance(page)).toHaveText(reads('25 000 символов'))
})

async function spendAll(page: Page, server: TestServer, amount: number) {
  const spent = await page.request.patch('/api/profile/balance', {
    headers: { origin: server.url },
    data: { amount, modelId: 'demo' },
  })
  expect((await spent.json()).SingleSubscription).toMatchObject({ availableTokens: 0, active: false })
}

test('running out of symbols is announced once, with the way to subscribe (S2.73, S4.1)', async ({
  page,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await expect(balance(page)).toHaveText(reads('20 000 символов'))
  await spendAll(page, server, 20_000)
  const notice = page.getByText('Закончились символы в подписке')
  await expect(notice).toHaveCount(1)
  await page.getByRole('button', { name: 'Оформить подписку' }).click()
  await expect(page).toHaveURL(/\/profile/)
})

async function idOf(page: Page): Promise<string> {
  const { user } = await (await page.request.get('/api/page')).json()
  return user.id
}
