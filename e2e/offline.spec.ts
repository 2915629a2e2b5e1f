import type { Page } from '@playwright/test'
import { expect, signIn, test } from './steps.ts'

/** A visit without a network, and what the browser stores for it. */

test.use({ serviceWorkers: 'allow', isTakenOver: false })

const pageField = (page: Page) => page.locator('#root').getByRole('textbox', { name: 'Сообщение' })
const notice = (page: Page) => page.getByText('Нет интернета.')

/** Everything in the caches of the browser, as address and text. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const found: [string, string][] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        found.push([`${name} ${request.url}`, (await (await cache.match(request))?.text()) ?? ''])
    }
    return found
  })

/** The worker is active once all is stored. */
async function waitUntilStored(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('person'))).not.toBeNull()
}
const hasWorker = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)

test('what is stored has no personal data, a new build replaces it whole and without a second load (S10.440, S10.441, S10.442, S10.443)', async ({
  page,
  context,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await expect(pageField(page)).toBeVisible()
  await waitUntilStored(page)
  const texts = await stored(page)
  expect(texts.some(([address]) => address.endsWith('/home'))).toBe(true)
  for (const [address, text] of texts) expect(text.includes(email), address).toBe(false)
  const [version] = await page.evaluate(() => caches.keys())

  await server.restart({ BUILD_ID: 'a-build-after-the-visit' })
  let pages = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pages += 1
  })
  await page.goto('/')
  await expect(page.getByText(email).first()).toBeVisible()
  await expect(notice(page)).toBeHidden()
  expect(await page.locator('#page-state').textContent()).toContain('"buildId":"a-build-after-the-visit"')
  await expect.poll(() => page.evaluate(() => caches.keys())).not.toContain(version)
  expect(await page.evaluate(() => caches.keys())).toHaveLength(1)
  expect(pages).toBe(1)
  await context.setOffline(true)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(notice(page)).toBeVisible()
  expect(await page.locator('#page-state').textContent()).toContain('"buildId":"a-build-after-the-visit"')

  // The session has ended elsewhere.
  await context.setOffline(false)
  await context.clearCookies()
  await page.goto('/')
  await expect(page.getByLabel('Электронная почта')).toBeVisible()
  await expect.poll(() => hasWorker(page)).toBe(false)
  expect(await page.evaluate(() => localStorage.getItem('person'))).toBeNull()
})

test('without a network the page opens with the draft and a notice, and goes on by itself; after signing out no one is remembered (S10.441, S10.444, S10.445)', async ({
  page,
  context,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await pageField(page).fill('Чай или кофе?')
  await waitUntilStored(page)
  await context.setOffline(true)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(pageField(page)).toHaveValue('Чай или кофе?')
  await expect(notice(page)).toBeVisible()
  await pageField(page).press('Enter')
  await expect(page.getByText('Ждёт отправки: 1 сообщение.')).toBeVisible()
  await page.reload({ waitUntil: 'commit' })
  await expect(page.getByText('Отправится, когда появится связь').first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Вы спросили: «Чай или кофе?».')).toBeVisible()
  await expect(notice(page)).toBeHidden()
  await expect(page.getByText(email).first()).toBeVisible()

  await page.getByRole('button', { name: email.split('@')[0] }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/signin/)
  expect(await page.evaluate(() => localStorage.getItem('person'))).toBeNull()
  await expect.poll(() => hasWorker(page)).toBe(false)
})
