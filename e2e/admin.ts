import { randomBytes } from 'node:crypto'
import type { Browser, Cookie, Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { expect, nextFrame, startSession } from './steps.ts'

/** By server: a test may have one of its own. */
const cookies = new Map<string, Cookie[]>()

/** The owner signs in by an emailed link once, as one address gets five in ten minutes; later tests reuse the session. */
export async function asOwner(page: Page, server: TestServer) {
  const known = cookies.get(server.url)
  if (known) return page.context().addCookies(known)
  await startSession(page, server, 'owner@example.test')
  cookies.set(server.url, await page.context().cookies())
}

/** Gives symbols to the user who is signed in on the page, by a promo code of the owner. */
export async function topUp(page: Page, browser: Browser, server: TestServer, symbols: number) {
  const owner = await browser.newPage({ baseURL: server.url })
  await asOwner(owner, server)
  const code = `TOP-UP-${randomBytes(4).toString('hex')}`
  const headers = { origin: server.url }
  const made = await owner.request.post('/api/promocodes', { headers, data: { code, symbols } })
  expect(made.ok(), await made.text()).toBe(true)
  await owner.close()
  const { user } = await (await page.request.get('/api/page')).json()
  const given = await page.request.post(`/api/users/${user.id}/apply-promocode`, { headers, data: { code } })
  expect(given.ok(), await given.text()).toBe(true)
}

export const rowNames = (page: Page) => page.locator('[data-row] [data-row-opener]').allInnerTexts()
export const findRow = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })
export const findNotice = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })

/** A notice covers what is under it, and stays for as long as the pointer is over it. */
export const closeNotice = (page: Page, text: string | RegExp) =>
  findNotice(page, text).getByRole('button', { name: 'Закрыть уведомление' }).click()
export const uniqueCode = (email: string) => email.slice(7, 13).toUpperCase()

export async function chooseRowAction(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Действия: ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

export async function dragAbove(page: Page, name: string, other: string) {
  const handle = page.getByRole('button', { name: `Переместить: ${name}`, exact: true })
  const target = page.getByRole('button', { name: `Переместить: ${other}`, exact: true })
  const [from, to] = [await handle.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('No handles to drag by')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 6, { steps: 8 })
  await nextFrame(page)
  await page.mouse.up()
}
