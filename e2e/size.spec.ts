import type { Page } from '@playwright/test'
import { expect, signIn, test } from './steps.ts'

/** What a first visit costs on the wire. A budget, not a timing: the same build always weighs the same. */

async function javascriptOf(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js'))
      sizes.push(request.sizes().then((size) => size.responseBodySize))
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
}

test('the sign-in page loads at most 100 kB of compressed JavaScript', async ({ page }) => {
  expect(await javascriptOf(page, '/auth/signin')).toBeLessThanOrEqual(100)
})

test('an empty chat loads at most 150 kB of compressed JavaScript, and a chat with answers 200', async ({
  page,
  browser,
  server,
  email,
}) => {
  await signIn(page, server, email)
  const state = await page.context().storageState()
  const fresh = await browser.newContext({ storageState: state, baseURL: server.url })
  expect(await javascriptOf(await fresh.newPage(), '/')).toBeLessThanOrEqual(150)
  await fresh.close()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Привет')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  const again = await browser.newContext({ storageState: state, baseURL: server.url })
  expect(await javascriptOf(await again.newPage(), new URL(page.url()).pathname)).toBeLessThanOrEqual(200)
  await again.close()
})
