import type { Page } from '@playwright/test'
import { expect, signIn, startSession, test, withoutFirstData } from './steps.ts'

test('the error page shows the code, advice and a way back (S2.59)', async ({ page }) => {
  await page.goto('/error?error=<b>state_not_found')
  await expect(page.getByRole('heading')).toBeVisible()
  await expect(page.locator('svg, [role=img]').first()).toBeVisible()
  await expect(page.getByText('<b>state_not_found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Application' })).toHaveAttribute('href', '/')
  await page.goto('/error')
  await expect(page.getByText('Unknown')).toBeVisible()
})

test('only a signed-in visit starts with profile and models (S6.19)', async ({ page, server, email }) => {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto('/auth/signin')
  await page.waitForLoadState('networkidle')
  expect(paths.filter((path) => path.startsWith('/api/'))).toEqual([])
  await signIn(page, server, email)
  paths.length = 0
  await page.reload()
  await page.waitForLoadState('networkidle')
  const calls = paths.filter((path) => path.startsWith('/api/') && path !== '/api/websocket')
  expect(calls.length).toBeLessThanOrEqual(4)
  const { first } = JSON.parse((await page.locator('#page-state').textContent()) ?? '')
  expect(first).toMatchObject({ profile: { email }, models: expect.arrayContaining([expect.anything()]) })
})

test('the panel stays folded after a reload and marks its section', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.getByRole('link', { name: 'Ассистенты' }).click()
  await expect(page.getByRole('link', { name: 'Ассистенты' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Свернуть панель' }).click()
  const width = () => page.getByRole('complementary').evaluate((panel) => panel.getBoundingClientRect().width)
  await expect.poll(width).toBe(64)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Развернуть панель' })).toBeVisible()
  expect(await width()).toBe(64)
})

test('a failed call is shown top right as «status: message»', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#account')
  await page.route('**/api/users/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { status: 409, code: 'conflict', message: 'Уже изменено' } })
      : route.continue(),
  )
  await page.getByLabel('Имя').fill('Борис')
  await page.getByRole('button', { name: /Сохранить/ }).click()
  const notice = page.getByText('409: Уже изменено').first()
  await expect(notice).toBeVisible()
})

test('a short message stands at the top centre for 3 s (S9.19)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#account')
  await page.getByLabel('Имя').fill('Борис')
  await noteToastTimes(page)
  await page.getByRole('button', { name: /Сохранить/ }).click()
  const message = page.locator('[data-sonner-toast]').first()
  await expect(message).toBeVisible()
  const box = await message.boundingBox()
  const centre = (box?.x ?? 0) + (box?.width ?? 0) / 2
  expect(Math.abs(centre - 640)).toBeLessThan(20)
  expect(box?.y ?? 999).toBeLessThan(120)
  await page.mouse.move(640, 700)
  await expect(message).toBeHidden()
  expect(await page.evaluate('toastGoneAt - toastShownAt')).toBeGreaterThan(2900)
})

/** By the clock of the page: a busy machine may look at the message late. */
async function noteToastTimes(page: Page) {
  await page.evaluate(`
    globalThis.toastShownAt = globalThis.toastGoneAt = 0
    new MutationObserver(() => {
      const isShown = document.querySelector('[data-sonner-toast]') !== null
      if (isShown) toastShownAt ||= performance.now()
      else if (toastShownAt) toastGoneAt ||= performance.now()
    }).observe(document.body, { subtree: true, childList: true })`)
}

test('a notification stands top right (S9.19)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await withoutFirstData(page)
  await page.route('**/api/models', (route) =>
    route.fulfill({ status: 403, json: { status: 403, code: 'forbidden', message: 'Нельзя' } }),
  )
  await page.reload()
  const notice = page.locator('[data-sonner-toast]', { hasText: '403: Нельзя' })
  await expect(notice).toBeVisible()
  const box = await notice.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1280 - 60)
  expect(box?.y ?? 999).toBeLessThan(120)
})

test('a profile that cannot be loaded is a fatal 500 (S8.7)', async ({ page, server, email, context }) => {
  await signIn(page, server, email)
  await withoutFirstData(page)
  await page.route('**/api/users/me', (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'internal', message: 'Сломалось' } }),
  )
  await context.route('https://support.example.test/**', (route) => route.fulfill({ body: 'support' }))
  await page.reload()
  await expect(page.getByText('Ошибка', { exact: true })).toBeVisible()
  await expect(page.getByText('Ошибка загрузки профиля пользователя! Свяжитесь с поддержкой.').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: '500' })).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Написать в поддержку' }).click()
  await expect.poll(async () => (await opened).url()).toBe('https://support.example.test/chat')
})

test('a social button follows the address in the response (S7.73)', async ({ page }) => {
  await page.route('https://id.vk.com/**', (route) => route.fulfill({ body: 'vk' }))
  await page.goto('/auth/signin')
  await page.getByText('Другие способы').click()
  await page.getByRole('button', { name: /VK ID/ }).click()
  await expect(page).toHaveURL(/^https:\/\/id\.vk\.com\/authorize/)
})

test('an account with a password is deleted, and the page shows it (S7.73)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/account#password')
  await page.getByRole('button', { name: 'Создать пароль' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Пароль', { exact: true }).fill('a long enough password')
  await dialog.getByRole('button', { name: /пароль/i }).click()
  await expect(page.getByText('Пароль задан.')).toBeVisible()
  await page.getByRole('button', { name: 'Удалить аккаунт' }).click()
  await dialog.getByLabel('Ваш пароль').fill('a long enough password')
  await dialog.getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect(page).toHaveURL(/\/auth\/signin/)
  await expect(page.getByText('Аккаунт удалён', { exact: false })).toBeVisible()
})

test('the loading bar shows while a product call runs', async ({ page, server, email }) => {
  await signIn(page, server, email)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await withoutFirstData(page)
  await page.route('**/api/models', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('progressbar')).toBeVisible()
  release()
  await expect(page.getByRole('progressbar')).toBeHidden()
})

const sections = ['threads', 'projects', 'assistants', 'images', 'transcribe', 'prompts', 'help', 'profile']

test('all titles stand on one edge, and a dialog covers the window (S10.1530, S10.1531)', async ({
  page,
  server,
  email,
}) => {
  await startSession(page, server, email)
  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  const left = async () => Math.round((await title.boundingBox())?.x ?? 0)
  const edges: number[][] = []
  for (const section of sections) {
    await page.goto(`/${section}`)
    const found: number[] = []
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(title).toBeVisible()
      found.push(await left())
    }
    edges.push(found)
  }
  expect(new Set(edges.map(String)).size, JSON.stringify(edges)).toBe(1)
  const before = await left()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  const covered = await page.evaluate(() => innerWidth - document.documentElement.clientWidth)
  const bars = await page
    .getByRole('dialog')
    .evaluate(
      (dialog) =>
        [dialog, ...dialog.querySelectorAll('*')].filter(
          (e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY),
        ).length,
    )
  expect([covered, await left(), bars <= 1]).toEqual([0, before, true])
})
