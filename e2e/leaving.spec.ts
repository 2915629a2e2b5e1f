import type { Page } from '@playwright/test'
import { expect, signIn, startSession, test } from './steps.ts'

const DRAFT = 'ЧерновикПроОсень'
const UNSENT = 'НеотправленноеПроЗиму'
const IMAGE_PROMPT = 'КартинкаПроВесну'

const field = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })

const stored = (page: Page) =>
  page.evaluate(async () => {
    const parts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    const read = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((done, fail) => {
        request.onsuccess = () => done(request.result)
        request.onerror = () => fail(request.error)
      })
    const textOf = (value: unknown): string => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value)
      if (typeof value !== 'object' || value === null) return String(value)
      return Object.values(value).map(textOf).join(' ')
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await read(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        parts.push(textOf(await read(database.transaction(store).objectStore(store).getAll())))
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) parts.push((await (await cache.match(request))?.text()) ?? '')
    }
    return parts.join('\n')
  })

const isProtected = (page: Page) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('words-of'))).not.toBeNull()

async function signOut(page: Page, email: string) {
  await page.getByRole('button', { name: email.split('@')[0] }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
}

test('signing out seals unsent words until their owner signs in again (S10.587)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.goto('/images')
  await page.getByRole('textbox').first().fill(IMAGE_PROMPT)
  await page.goto('/')
  await page.route('**/message', (route) => route.abort())
  await field(page).fill(UNSENT)
  await field(page).press('Enter')
  await expect(page.getByText('Отправится, когда появится связь').first()).toBeVisible()
  const thread = page.url()
  await page.goto('/')
  await field(page).fill(DRAFT)
  await expect.poll(() => stored(page)).toContain(DRAFT)
  for (const words of [UNSENT, IMAGE_PROMPT]) expect(await stored(page)).toContain(words)

  await signOut(page, email)
  await expect(page).toHaveURL(/\/auth\/signin/)
  const left = await stored(page)
  for (const words of [DRAFT, UNSENT, IMAGE_PROMPT]) expect(left).not.toContain(words)

  await signIn(page, server, `other-${email}`)
  await expect(field(page)).toHaveValue('')
  expect(await stored(page)).not.toContain(DRAFT)
  await page.goto('/images')
  await expect(page.getByRole('textbox').first()).toHaveValue('')
  await signOut(page, `other-${email}`)
  await expect(page).toHaveURL(/\/auth\/signin/)

  await signIn(page, server, email)
  await expect(field(page)).toHaveValue(DRAFT)
  await page.goto('/images')
  await expect(page.getByRole('textbox').first()).toHaveValue(IMAGE_PROMPT)
  await page.goto(thread)
  await expect(page.getByText(UNSENT).first()).toBeVisible()
  await page.unroute('**/message')
  await page.reload()
  await expect(page.getByText(`Вы спросили: «${UNSENT}».`)).toBeVisible()
})

test('words are sealed when the server ends the session (S10.587)', async ({ page, browser, server, email }) => {
  await signIn(page, server, email)
  await field(page).fill(DRAFT)
  await isProtected(page)
  const elsewhere = await browser.newPage()
  await startSession(elsewhere, server, email)
  const ended = await elsewhere.request.post(`${server.url}/api/auth/revoke-other-sessions`, {
    headers: { origin: server.url },
  })
  expect(ended.ok()).toBe(true)
  await elsewhere.close()
  await expect(page).toHaveURL(/\/auth\/signin/)
  await expect.poll(() => stored(page)).not.toContain(DRAFT)
  await signIn(page, server, email)
  await expect(field(page)).toHaveValue(DRAFT)
})

test('the next page seals words of a session that ended meanwhile (S10.587)', async ({
  page,
  context,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await field(page).fill(DRAFT)
  await isProtected(page)
  await page.goto('about:blank')
  await context.clearCookies()
  await page.goto('/')
  await expect(page).toHaveURL(/\/auth\/signin/)
  expect(await stored(page)).not.toContain(DRAFT)
  await signIn(page, server, email)
  await expect(field(page)).toHaveValue(DRAFT)
})

test('signing out offline seals words at once and ends the session later (S10.587)', async ({
  page,
  context,
  server,
  email,
  browserErrors,
}) => {
  await signIn(page, server, email)
  await field(page).fill(DRAFT)
  await isProtected(page)
  await page.getByRole('button', { name: email.split('@')[0] }).click()
  const leave = page.getByRole('menuitem', { name: 'Выйти' })
  await expect(leave).toBeVisible()
  await context.setOffline(true)
  await leave.click()
  await expect.poll(() => stored(page)).not.toContain(DRAFT)
  await context.setOffline(false)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/auth\/signin/)
  const session = await page.request.get(`${server.url}/api/auth/get-session`)
  expect(await session.json()).toBeNull()
  await signIn(page, server, email)
  await expect(field(page)).toHaveValue(DRAFT)
  browserErrors.length = 0
})
