import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asOwner, findNotice, findRow } from './admin.ts'
import type { TestServer } from './server.ts'
import { expect, search, signIn, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

interface Buyer {
  page: Page
  email: string
  balance: () => Promise<number>
}

async function aBuyer(page: Page, server: TestServer, email: string): Promise<Buyer> {
  await signIn(page, server, email)
  const balance = async () => {
    const me = await page.request.get('/api/users/me')
    return ((await me.json()) as { SingleSubscription: { availableTokens: number } }).SingleSubscription.availableTokens
  }
  return { page, email, balance }
}

async function payPage(buyer: Page, name: string): Promise<string> {
  const bundles = (await (await buyer.request.get('/api/tokens-bundles')).json()) as { id: string; name: string }[]
  const id = bundles.find((bundle) => bundle.name === name)?.id
  const answer = await buyer.request.get(`/api/bepaid/get-bundle-url?bundleId=${id}`)
  return ((await answer.json()) as { redirect_url: string }).redirect_url
}

/** Pays without returning to the page, which would ask the server about the payment. */
async function pay(buyer: Page, url: string) {
  const { origin, searchParams } = new URL(url)
  const form = { token: searchParams.get('token') ?? '', action: 'pay' }
  await buyer.request.post(`${origin}/v2/checkout`, { form, maxRedirects: 0 })
}

const panel = (page: Page) => page.getByRole('dialog').first()

test('operations are narrowed, added up, downloaded and explained (S1.29)', async ({
  page,
  browser,
  server,
  email,
}) => {
  const guest = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  const buyer = await aBuyer(guest, server, email)
  await pay(guest, await payPage(guest, 'Пакет на пробу'))
  await expect.poll(buyer.balance).toBe(120_000)
  await guest.request.patch('/api/profile/balance', {
    headers: { origin: server.url },
    data: { amount: 1500, modelId: 'demo' },
  })

  await asOwner(page, server)
  await page.goto('/admin/transactions')
  await search(page, page.getByRole('searchbox'), email)
  await expect(page).toHaveURL(/query=person/)
  await expect(page.locator('[data-row]')).toHaveCount(3)
  const totals = page.getByRole('region', { name: 'Итоги по отбору' })
  await expect(totals).toContainText(/Пришло символов\s*120\s000/)
  await expect(totals).toContainText(/Ушло символов\s*1\s500/)
  await expect(totals).toContainText(/3,50\sBYN/)

  await page.getByLabel('Направление').selectOption('Списания')
  await expect(page.locator('[data-row]')).toHaveCount(1)
  await expect(totals).toContainText(/Пришло символов\s*0/)
  await page.reload()
  await expect(page.locator('[data-row]')).toHaveCount(1)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`;-1500;118500;demo;`)
  expect(lines[1]).toContain(email)

  await page.getByRole('button', { name: 'Списание', exact: true }).click()
  await expect(panel(page)).toContainText(/осталось 118\s500/)
  await expect(panel(page)).toContainText('Откуда взято')
  await expect(panel(page).getByRole('link', { name: email })).toHaveAttribute('href', /\/admin\/users\//)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()

  await page.getByRole('button', { name: 'Снять отбор: Направление' }).click()
  await page.getByRole('button', { name: 'Символов', exact: true }).click()
  await page.getByRole('dialog', { name: 'Символов' }).getByLabel('От').fill('50 000')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/least=50000/)
  await expect(page.locator('[data-row]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Период', exact: true }).click()
  const period = page.getByRole('dialog', { name: 'Период' })
  await period.getByLabel('С', { exact: true }).fill('2020-01-01')
  await period.getByLabel('По', { exact: true }).fill('2020-01-31')
  await period.getByRole('button', { name: 'Показать' }).click()
  await expect(page.getByText('Под эти условия ничего не подошло.')).toBeVisible()
  await page.getByRole('button', { name: 'Показать все' }).click()
  await expect(page).toHaveURL(/\/admin\/transactions$/)
  await guest.close()
})

test('an owner finds an order, checks it and refunds it in parts (S1.29, S10.57)', async ({
  page,
  browser,
  server,
  email,
}) => {
  const guest = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  const buyer = await aBuyer(guest, server, email)
  const url = await payPage(guest, 'Пакет на пробу')
  await server.gateway('lose-webhook', { count: 1 })
  await pay(guest, url)

  await asOwner(page, server)
  await page.goto('/admin/transactions')
  await page.getByRole('tab', { name: 'Заказы' }).click()
  await search(page, page.getByRole('searchbox'), email)
  await expect(findRow(page, email)).toContainText('Ждёт оплаты')
  expect(await buyer.balance()).toBe(20_000)
  await findRow(page, email).getByRole('button', { name: 'Пакет на пробу', exact: true }).click()
  await panel(page).getByRole('button', { name: 'Проверить оплату' }).click()
  await expect(page.getByText('Платёжная система ответила: оплачен. Заказ исправлен.')).toBeVisible()
  await expect(panel(page)).toContainText('Оплачен')
  expect(await buyer.balance()).toBe(120_000)

  await panel(page).getByRole('button', { name: 'Вернуть деньги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Вернуть деньги' })
  await expect(dialog).toContainText(/Заберём 100\s000\sсимволов/)
  await dialog.getByText('Часть', { exact: true }).click()
  await dialog.getByLabel('Сколько вернуть', { exact: true }).last().fill('99')
  await dialog.getByRole('button', { name: /^Вернуть/ }).click()
  await expect(dialog.getByText(/Введите сумму до/)).toBeVisible()
  await expect(dialog.getByText('Напишите, почему возвращаете')).toBeVisible()
  await dialog.getByLabel('Сколько вернуть', { exact: true }).last().fill('1')
  await expect(dialog).toContainText('символы останутся у пользователя')
  await dialog.getByLabel('Почему возвращаете').fill('Скидка постоянному покупателю')
  await dialog.getByRole('button', { name: /Вернуть 1\sBYN/ }).click()
  await expect(dialog).toBeHidden()
  await expect(panel(page)).toContainText(/возвращено 1\sBYN/)
  expect(await buyer.balance()).toBe(120_000)

  await panel(page).getByRole('button', { name: 'Вернуть деньги' }).click()
  await dialog.getByLabel('Почему возвращаете').fill('Передумал')
  await dialog.getByRole('button', { name: /Вернуть 2,50\sBYN/ }).click()
  await expect(dialog).toBeHidden()
  await expect(panel(page)).toContainText('Деньги возвращены')
  await expect.poll(buyer.balance).toBe(20_000)
  await expect(panel(page).getByRole('button', { name: 'Вернуть деньги' })).toBeHidden()
  await page.goBack()
  await expect(panel(page)).toBeHidden()
  await expect(findRow(page, email)).toContainText('Деньги возвращены')
  await guest.close()
})

test('an owner ties a stray payment to its order or closes it (S1.29)', async ({ page, browser, server, email }) => {
  const guest = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  const buyer = await aBuyer(guest, server, email)
  await payPage(guest, 'Средний пакет')
  const bundles = (await (await guest.request.get('/api/tokens-bundles')).json()) as { name: string; price: number }[]
  const price = bundles.find(({ name }) => name === 'Средний пакет')?.price
  const body = (uid: string, tracking: string) =>
    JSON.stringify({
      transaction: {
        uid,
        type: 'payment',
        status: 'successful',
        amount: price,
        currency: 'BYN',
        tracking_id: tracking,
        paid_at: new Date().toISOString(),
        customer: { email },
        credit_card: { holder: 'IVAN IVANOV', last_4: '1006' },
      },
    })
  const insert = (uid: string, tracking: string) =>
    `insert into payment_events (id, dedupe_key, body, refs, orphan, processed_at)
     values ('${uid}', 'tx:${uid}', '${body(uid, tracking)}', array['${uid}', '${tracking}'], true, now());`
  const [tied, marked] = [`tied-${email.slice(7, 13)}`, `marked-${email.slice(7, 13)}`]
  await server.rewrite(insert(tied, 'by-hand') + insert(marked, 'by-hand-again'))

  await page.setViewportSize({ width: 360, height: 760 })
  await asOwner(page, server)
  await page.goto('/admin/transactions')
  await page.getByRole('tab', { name: /События оплаты/ }).click()
  await search(page, page.getByRole('searchbox'), tied)
  await expect(page.locator('[data-row]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Платёж: прошёл' }).click()
  await expect(panel(page)).toContainText('Ни к чему не относится')
  await panel(page).getByText('Сообщение целиком').click()
  await expect(panel(page)).not.toContainText('IVAN')
  await panel(page).getByRole('listitem').filter({ hasText: email }).getByRole('button', { name: 'Привязать' }).click()
  await page
    .getByRole('dialog', { name: 'Привязать платёж к заказу?' })
    .getByRole('button', { name: /^Привязать/ })
    .click()
  await expect(page.getByText('Платёж зачтён, символы начислены')).toBeVisible()
  await expect(panel(page)).toContainText('Учтено')
  await expect.poll(buyer.balance).toBeGreaterThan(20_000)
  await panel(page).getByRole('button', { name: 'Закрыть' }).click()

  await search(page, page.getByRole('searchbox'), marked)
  await page.getByRole('button', { name: 'Платёж: прошёл' }).click()
  await panel(page).getByRole('button', { name: 'Обработать снова' }).click()
  await expect(page.getByText('Пока ни к чему не относится')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Разобрано' }).click()
  const dialog = page.getByRole('dialog', { name: 'Событие разобрано' })
  await dialog.getByRole('button', { name: 'Отметить разобранным' }).click()
  await expect(dialog.getByText('Заполните это поле')).toBeVisible()
  await dialog.getByLabel('Чем закончилось').fill('Вернули в кабинете bePaid')
  await dialog.getByRole('button', { name: 'Отметить разобранным' }).click()
  await expect(panel(page)).toContainText('Вернули в кабинете bePaid')
  await expectNoOverflow(page)
  await panel(page).getByRole('button', { name: 'Закрыть' }).click()
  await expect(page.getByText('Под эти условия ничего не подошло.')).toBeVisible()
  await page.getByRole('button', { name: 'Фильтры' }).click()
  await page.getByLabel('Какие события').selectOption('Разобранные')
  await expect(page.locator('[data-row]')).toHaveCount(1)
  await expectNoOverflow(page)
  await expect(findNotice(page, 'ошибк')).toHaveCount(0)
  await guest.close()
})
