import { randomBytes } from 'node:crypto'
import { type BrowserContext, test as base, expect, type Locator, type Page, type Request } from '@playwright/test'
import { startServer, type TestServer } from './server.ts'

interface Worker {
  server: TestServer
}
interface TestSteps {
  /** What the browser reported as errors; a test that expects errors empties it. */
  browserErrors: string[]
  email: string
  /** Pages wait until their scripts have taken over the layout that came with them. */
  isTakenOver: boolean
}

/** A person's way through the product, in a real browser, against the built server. */
export const test = base.extend<TestSteps, Worker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  email: ({}, use) => use(`person-${randomBytes(5).toString('hex')}@example.test`),
  extraHTTPHeaders: ({ email }, use) => use({ 'x-forwarded-for': addressFor(email) }),
  isTakenOver: [true, { option: true }],
  context: async ({ context, isTakenOver }, use) => {
    // The library makes it with the browser below.
    if (!isTakenOver) Reflect.deleteProperty(context, 'newPage')
    await use(context)
  },
  browser: [
    async ({ browser }, use) => {
      const { newContext } = browser
      browser.newContext = async (...args) => {
        const context = await newContext.apply(browser, args)
        waitInNewPages(context)
        return context
      }
      // As the library does it: a page with a context of its own, which is closed with it.
      browser.newPage = async (...args) => {
        const context = await browser.newContext(...args)
        const page = await context.newPage()
        page.on('close', () => void context.close())
        return page
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  browserErrors: [
    async ({ context }, use) => {
      const browserErrors: string[] = []
      context.on('console', (message) => {
        const expected = /Failed to load resource|WebSocket connection to/.test(message.text())
        if (message.type() === 'error' && !expected) browserErrors.push(message.text())
      })
      context.on('weberror', (error) => browserErrors.push(String(error.error())))
      await use(browserErrors)
      expect(browserErrors).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

function waitInNewPages(context: BrowserContext) {
  const { newPage } = context
  context.newPage = async () => {
    const page = await newPage.apply(context)
    waitForScripts(page)
    return page
  }
}

/**
 * Tests that are not about loading begin when the scripts have replaced the shell. They leave a page when its writes are
 * answered: lists show a change before the server has it, and the next page would be asked for at the same time.
 */
function waitForScripts(page: Page) {
  const { goto, reload } = page
  const takenOver = () => page.locator('#shell').waitFor({ state: 'detached' })
  const written = watchWrites(page)
  page.goto = async (...args) => {
    await written()
    const response = await goto.apply(page, args)
    await takenOver()
    return response
  }
  page.reload = async (...args) => {
    await written()
    const response = await reload.apply(page, args)
    await takenOver()
    return response
  }
}

/** Waits until each write of the page has an answer; a stream has one when it begins. Uploads go on after a reload. */
function watchWrites(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  const end = (request: Request) => void open.delete(request)
  page.on('request', (request) => {
    if (request.method() !== 'GET' && /\/api\/(?!.*\/uploads\/)/.test(request.url())) open.add(request)
  })
  page.on('response', (response) => end(response.request()))
  page.on('requestfailed', end)
  return () => expect.poll(() => [...open].map((request) => request.url()), { message: 'unanswered' }).toEqual([])
}

/** The page comes without the data of its first screen, so that it makes the calls. */
export async function withoutFirstData(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers()
    const body = (await response.text()).replace(/,"first":.*?(?=\}<\/script>)/s, '')
    await route.fulfill({ status: response.status(), headers, body })
  })
}

export async function linkIn(server: TestServer, to: string, subject: RegExp): Promise<string> {
  const find = async () => (await server.emails(to)).find((mail) => subject.test(mail.subject))
  await expect.poll(find, { message: `an email «${subject}» to ${to}` }).toBeTruthy()
  const link = (await find())?.text.match(/https?:\/\/\S+/)?.[0]
  if (!link) throw new Error(`No link in the email to ${to}`)
  return link
}

/** Signs in by calls, with no page open yet; e2e/sign-in.spec.ts does it on screen. */
export async function startSession(page: Page, server: TestServer, email: string): Promise<void> {
  const links = async () => (await server.emails(email)).filter(({ subject }) => /Вход/.test(subject))
  const before = (await links()).length
  const response = await page.request.post(`${server.url}/api/auth/sign-in/magic-link`, {
    headers: { origin: server.url },
    data: { email, callbackURL: '/' },
  })
  expect(response.ok(), await response.text()).toBe(true)
  await expect.poll(async () => (await links()).length, { message: `a link for ${email}` }).toBeGreaterThan(before)
  const opened = await page.request.get(await linkIn(server, email, /Вход/), { maxRedirects: 0 })
  expect(opened.headers().location, await opened.text()).toBe(`${server.url}/`)
}

export async function signIn(page: Page, server: TestServer, email: string): Promise<void> {
  await startSession(page, server, email)
  await page.goto(server.url)
  await expect(page).toHaveURL(`${server.url}/`)
}

/** Types into the search of a list and waits for what is found: rows move then, also from under the pointer. */
export async function search(page: Page, field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBe(text)
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
}

/** Lets the page draw what the pointer did: people never release within the same frame. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

function addressFor(email: string): string {
  const bytes = Buffer.from(email)
  return `10.${(bytes[7] ?? 1) % 250}.${(bytes[9] ?? 1) % 250}.${(bytes[11] ?? 1) % 250}`
}
