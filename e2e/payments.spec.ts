import { devices, type Page } from '@playwright/test'
import { startFakeYookassa } from '#server/payments/fake-yookassa/fake-yookassa.ts'
import { asOwner, findRow } from './admin.ts'
import { startServer, type TestServer } from './server.ts'
import { test as base, expect, search, startSession } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** ЮKassa beside the test: it must remember saved methods when the server restarts for `rewrite`. */
type FakeYookassa = Awaited<ReturnType<typeof startFakeYookassa>>

const test = base.extend<object, { yookassa: FakeYookassa; server: TestServer }>({
  yookassa: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const fake = await startFakeYookassa({ port: 0, notificationUrl: '', send: (_, init) => notify(init) })
      await use(fake)
      await fake.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ yookassa }, use) => {
      const { shopId, secretKey, apiUrl } = yookassa.settings
      const server = await startServer({
        YOOKASSA_SHOP_ID: shopId,
        YOOKASSA_SECRET_KEY: secretKey,
        YOOKASSA_API_URL: apiUrl,
        YOOKASSA_METHODS: 'bank_card,sbp',
        YOOKASSA_RECEIPTS: 'yookassa',
        RECEIPT_VAT_CODE: '1',
      })
      notify = (init) => fetch(`${server.url}/api/yookassa/webhook`, init)
      await addOffer(server)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

let notify: (init: RequestInit) => Promise<Response> = async () => new Response()

/** Prices in roubles beside the first ones, which go to bePaid. */
async function addOffer(server: TestServer) {
  const { chromium } = await import('@playwright/test')
  const { CHROMIUM: executablePath } = process.env
  const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) })
  const page = await browser.newPage({ baseURL: server.url })
  await asOwner(page, server)
  const headers = { origin: server.url }
  const plan = { name: 'Рубли', symbols: 300_000, price: 99_000, currency: 'RUB' }
  const bundle = { name: 'Пакет в рублях', symbols: 100_000, price: 35_050, currency: 'RUB' }
  expect((await page.request.post('/api/plans', { headers, data: plan })).ok()).toBe(true)
  expect((await page.request.post('/api/tokens-bundles', { headers, data: bundle })).ok()).toBe(true)
  await browser.close()
}

const newestPayment = ({ shop }: FakeYookassa) => [...shop.payments.keys()].at(-1) ?? ''

async function subscribe(page: Page, server: TestServer, email: string) {
  await startSession(page, server, email)
  await page.goto('/profile#plan')
  await page.getByRole('radio', { name: 'Рубли' }).check()
  await page.getByRole('radio', { name: 'Банковская карта' }).check()
  await page.getByRole('checkbox', { name: /Соглашаюсь/ }).check()
  await page.getByRole('button', { name: 'Оформить подписку' }).click()
  await page.getByRole('button', { name: 'Оплатить' }).click()
  await expect(page.getByText('Зачислено 300 000 символов', { exact: true })).toBeVisible()
}

const methodSection = (page: Page) => page.getByRole('region', { name: 'Способ оплаты' })

test.describe('on a phone', () => {
  const { userAgent } = devices['Pixel 7']
  test.use({ viewport: { width: 360, height: 760 }, userAgent })

  test('СБП opens the bank, and coming back shows the true state (S10.942)', async ({
    page,
    server,
    yookassa,
    email,
  }) => {
    await startSession(page, server, email)
    await page.goto('/profile#bundles')
    await page.getByRole('button', { name: 'Купить: Пакет в рублях' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'СБП' }).click()
    await page.waitForURL(`${yookassa.url}/sbp**`)
    const bank = page.url()

    await page.goBack()
    await expect(page).toHaveURL(/\/profile\?payment=/)
    await expect(page.getByRole('timer')).toHaveText(/Код действует ещё \d\d:\d\d/)
    await expect(page.getByRole('link', { name: 'Открыть приложение банка' })).toHaveAttribute('href', bank)
    await expectGoodVisuals(page, new URL(page.url()).pathname + new URL(page.url()).search)
    await page.setViewportSize({ width: 360, height: 760 })
    await page.reload()
    await page.getByRole('button', { name: 'Я оплатил, проверить' }).click()
    await expect(page.getByText(/Платёж пока не виден/)).toBeVisible()

    const second = await page.context().newPage()
    await second.goto('/profile/operations#receipts')
    await second.getByRole('link', { name: 'Открыть платёж: Пакет в рублях' }).click()
    await expect(second.getByRole('timer')).toBeVisible()

    yookassa.shop.pay(newestPayment(yookassa))
    await expect(page.getByText('Зачислено 100 000 символов', { exact: true })).toBeVisible()
    await expect(second.getByText('Зачислено 100 000 символов', { exact: true })).toBeVisible()
    await second.close()
  })
})

test('a computer shows the code; a decline names the reason (S10.942)', async ({ page, server, yookassa, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile#bundles')
  await page.getByRole('button', { name: 'Купить: Пакет в рублях' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'СБП' }).click()
  await expect(page.getByRole('img', { name: /QR-код/ })).toBeVisible()
  yookassa.shop.decline(newestPayment(yookassa), 'insufficient_funds')
  await expect(page.getByText('Не хватило денег', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Попробовать ещё раз' }).click()
  await expect(page.getByRole('button', { name: 'Купить: Пакет в рублях' })).toBeInViewport()
})

/** As if this many days had passed for the subscription of this person. */
const makeDue = (server: TestServer, email: string) =>
  server.rewrite(`
    update subscriptions set check_requested_at = null, check_at = now() - interval '1 minute',
      renew_at = least(renew_at, now() - interval '1 minute'), active_to = least(active_to, now() - interval '1 minute')
      where user_id = (select id from users where email = '${email}');
    update renewals set next_at = now() - interval '1 minute' where state = 'waiting' and subscription_id in
      (select s.id from subscriptions s join users u on u.id = s.user_id where u.email = '${email}');`)

test('a renewal is declined twice, then paid; the method is removed (S10.921, S10.944, S10.945)', async ({
  page,
  server,
  yookassa,
  email,
}) => {
  test.setTimeout(240_000)
  await subscribe(page, server, email)
  await expect(methodSection(page)).toContainText(/Банковская карта .*••••\s4477/)

  const { shop } = yookassa
  shop.faults.declined = ['insufficient_funds', 'insufficient_funds']
  const before = shop.payments.size
  for (const attempt of [1, 2, 3]) {
    await makeDue(server, email)
    await page.goto('/profile/operations#receipts')
    await expect.poll(() => shop.payments.size, { message: `attempt ${attempt}` }).toBe(before + attempt)
    await page.goto('/profile#plan')
    await expect(page.getByText('Банк отклонил списание')).toBeVisible({ visible: attempt < 3 })
  }
  const charged = [...shop.payments.values()].slice(before).map(({ status }) => status)
  expect(charged).toEqual(['canceled', 'canceled', 'succeeded'])
  await expect(page.getByRole('complementary').getByRole('link', { name: /символ/ })).toHaveText(/620\s000/)

  await methodSection(page).getByRole('button', { name: 'Сменить' }).click()
  await methodSection(page).getByRole('button', { name: 'Другая карта' }).click()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(methodSection(page)).toContainText('Сохранено: Банковская карта')
  expect(shop.payments.size).toBe(before + 3)

  await methodSection(page).getByRole('button', { name: 'Отвязать' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Подписка «Рубли» не продлится')
  await dialog.getByRole('button', { name: 'Отвязать' }).click()
  await expect(methodSection(page)).toContainText('Ничего не сохранено')
  await expect(page.getByText(/Продление отменено/).first()).toBeVisible()
})

test('the owner checks the gateway and refunds, with a receipt (S10.947, S10.948, S10.949)', async ({
  page,
  browser,
  server,
  yookassa,
  email,
}) => {
  const guest = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await subscribe(guest, server, email)
  await asOwner(page, server)
  await expectGoodVisuals(page, '/admin/payments')
  await page.getByRole('button', { name: 'Проверить ЮKassa' }).click()
  await expect(page.getByText('Всё сходится')).toBeVisible()

  const { shop } = yookassa
  shop.faults.refunds = ['pending']
  await page.goto('/admin/transactions?tab=orders')
  await search(page, page.getByRole('searchbox'), email)
  await findRow(page, email).getByRole('button', { name: /Рубли/ }).first().click()
  const panel = page.getByRole('dialog').first()
  await panel.getByRole('button', { name: 'Вернуть деньги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Вернуть деньги' })
  await dialog.getByLabel('Почему возвращаете').fill('Передумал')
  await dialog.getByRole('button', { name: /Вернуть 990/ }).click()
  await expect(dialog).toBeHidden()
  await expect(panel).toContainText('Возврат идёт')
  await guest.goto('/profile/operations#receipts')
  await expect(guest.getByText(/возврат 990.* идёт/)).toBeVisible()
  shop.endRefund([...shop.refunds.keys()].at(-1) ?? '', 'succeeded')
  await expect(guest.getByText(/деньги возвращены/)).toBeVisible()
  await page.reload()
  await expect(panel).toContainText('Деньги возвращены')
  await expect(panel).toContainText(/Чек возврата на 990/)
  await guest.goto('/profile/operations#receipts')
  await expect(guest.getByText(/деньги возвращены/)).toBeVisible()
  await expect(guest.getByText(/^Чек возврата на 990/)).toBeVisible()
  await guest.close()
})
