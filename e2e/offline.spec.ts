import type { Page } from '@playwright/test'
import { expect, signIn, test } from './steps.ts'

/** What the browser keeps for the next visit, and a visit without a network. */

test.use({ serviceWorkers: 'allow', isTakenOver: false })

const pageField = (page: Page) => page.locator('#root').getByRole('textbox', { name: 'Сообщение' })
const shellField = (page: Page) => page.locator('#shell').getByRole('textbox', { name: 'Сообщение' })
const notice = (page: Page) => page.getByText('Нет интернета.')

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

/** The page is stored once its worker answers and a user is noted as signed in. */
async function waitUntilStored(page: Page) {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => caches.keys())).toContain('seen')
}

test('a second visit starts with the stored layout of its build (S10.440, S10.441, S10.442, S10.443)', async ({
  page,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await expect(pageField(page)).toBeVisible()
  await waitUntilStored(page)
  const texts = await stored(page)
  expect(texts.some(([address]) => address.endsWith('/home'))).toBe(true)
  for (const [address, text] of texts) expect(text.includes(email), address).toBe(false)

  const held = await holdPages(page)
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).pressSequentially('Чай')
  await expect.poll(() => held.length).toBe(1)
  await expect(page.locator('#root')).toBeEmpty()
  held.pop()?.()
  await expect(pageField(page)).toHaveValue('Чай')
  await expect(page.getByText(email).first()).toBeVisible()
  await expect(notice(page)).toBeHidden()

  await waitUntilStored(page)
  await server.restart({ BUILD_ID: 'a-build-after-the-visit' })
  await page.goto('/', { waitUntil: 'commit' })
  await shellField(page).pressSequentially('Мята')
  held.pop()?.()
  // The response is of another build: the page reloads without a stored layout, and the typed text becomes a draft.
  await expect.poll(() => held.length).toBe(1)
  held.pop()?.()
  await expect(pageField(page)).toHaveValue('Чай\n\nМята')
  expect(await page.locator('#page-state').textContent()).toContain('"buildId":"a-build-after-the-visit"')
  await waitUntilStored(page)
  await expect
    .poll(async () => (await page.evaluate(() => caches.keys())).filter((name) => name.startsWith('stored-')))
    .toHaveLength(1)

  // The session has ended elsewhere.
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().clearCookies()
  await page.goto('/')
  await expect(page.getByLabel('Электронная почта')).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).not.toContain('seen')
})

/** Holds the responses with pages back; each returned function releases one. */
async function holdPages(page: Page) {
  const held: (() => void)[] = []
  await page.context().route('**/', async (route) => {
    await new Promise<void>((done) => held.push(done))
    await route.continue()
  })
  return held
}

test('the page opens offline with the draft until the person signs out (S10.441, S10.444, S10.445)', async ({
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
  await expect.poll(() => page.evaluate(() => caches.keys())).not.toContain('seen')
})
