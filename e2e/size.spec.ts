import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './steps.ts'

/** What a first visit costs on the wire. A budget, not a timing: the same build always weighs the same. */

/** JavaScript that is fetched until the page is at rest; what is loaded when idle, such as toasts, does not count. */
async function costOf(page: Page, path: string) {
  const scripts: Promise<{ bytes: number; code: string }>[] = []
  let requests = 0
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/toaster-/.test(pathname)) return
    requests += 1
    if (!pathname.endsWith('.js')) return
    const read = async () => {
      const [{ responseBodySize }, response] = await Promise.all([request.sizes(), request.response()])
      return { bytes: responseBodySize, code: (await response?.text()) ?? '' }
    }
    scripts.push(read())
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  const loaded = await Promise.all(scripts)
  return {
    kilobytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    requests,
    // A name that the library gives to its objects, whatever the minifier does.
    hasSchemas: loaded.some(({ code }) => code.includes('ZodMiniObject')),
  }
}

test('the sign-in page loads at most 87 kB of JavaScript, without schemas (S10.672)', async ({ page }) => {
  const { kilobytes, hasSchemas } = await costOf(page, '/auth/signin')
  expect(kilobytes).toBeLessThanOrEqual(87)
  expect(hasSchemas).toBe(false)
})

test('files of the first screens are compiled whole, beside the main thread (S10.726)', () => {
  const files = readdirSync('dist/web/assets').filter((name) =>
    /^(react|main|frame|signin|thread|markdown)-\w+\.js$/.test(name),
  )
  expect(new Set(files.map((name) => name.replace(/-.*/, ''))).size).toBe(6)
  for (const file of files)
    expect(readFileSync(`dist/web/assets/${file}`, 'utf8'), file).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
})

test('the styles inside a page are limited (S10.725)', () => {
  const { styles } = JSON.parse(readFileSync('dist/page-parts.json', 'utf8')) as { styles: Record<string, string> }
  for (const [layout, css] of Object.entries(styles))
    expect(css.length, layout).toBeLessThanOrEqual(layout === 'thread' ? 28_000 : 18_000)
})

/**
 * A browser notes for each pseudo-class of a position which elements depend on it. Where that is any element inside,
 * what is appended anywhere restyles its whole neighbour; a `:has` of the root is checked at each change of the page.
 */
test('no selector has the whole page restyled when something is appended (S10.999)', () => {
  const files = readdirSync('dist/web/assets').filter((name) => name.endsWith('.css'))
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const css = readFileSync(`dist/web/assets/${file}`, 'utf8')
    expect(
      css.match(/(?:first|last|only|nth(?:-last)?)-(?:child|of-type)[^,{}]*[\s>~]\*(?![\w-])[^,{}]*/g),
      file,
    ).toBeNull()
    expect(css.match(/(?:html|:root|body):has\([^{]*/g), file).toBeNull()
  }
})

test('chats load at most 112 or 178 kB in 14 requests (S10.464)', async ({ page, browser, server, email }) => {
  await signIn(page, server, email)
  const state = await page.context().storageState()
  const fresh = await browser.newContext({ storageState: state, baseURL: server.url })
  const empty = await costOf(await fresh.newPage(), '/')
  expect(empty.kilobytes).toBeLessThanOrEqual(112)
  expect(empty.requests).toBeLessThanOrEqual(14)
  expect(empty.hasSchemas).toBe(false)
  await fresh.close()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Привет')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  const again = await browser.newContext({ storageState: state, baseURL: server.url })
  const thread = await costOf(await again.newPage(), new URL(page.url()).pathname)
  expect(thread.kilobytes).toBeLessThanOrEqual(178)
  expect(thread.requests).toBeLessThanOrEqual(14)
  expect(thread.hasSchemas).toBe(false)
  await again.close()
})
