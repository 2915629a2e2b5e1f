import type { Browser, Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { expect, linkIn, signIn, test } from './steps.ts'

/** A stranger types a question first and signs in afterwards. */

const QUESTION = 'Почему небо синее?'
const answerTo = (text: string) => `Вы спросили: «${text}».`
const question = (page: Page) => page.getByRole('textbox', { name: 'Ваш вопрос' })
const message = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })

async function askForLink(page: Page, email: string) {
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect(page).toHaveURL(/\/auth\/email-sended/)
}

const openPhone = (browser: Browser, server: TestServer) =>
  browser.newPage({ baseURL: server.url, locale: 'ru-RU', viewport: { width: 360, height: 780 } })

async function openOn(phone: Page, link: string, email: string) {
  await phone.goto(link)
  await phone.getByRole('button', { name: `Войти как ${email}` }).click()
  await expect(phone).not.toHaveURL(/\/api\//)
}

/** Words of the sign-in page that this browser still stores. */
const storedWords = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage, cookie: document.cookie.match(/question=\w*/)?.[0] }))

/** What is held for a running answer, a step of 1000 symbols and more, is not charged yet. */
const chargedFor = async (page: Page) => {
  const read = async () => {
    const profile = (await (await page.request.get('/api/users/me')).json()) as {
      SingleSubscription: { availableTokens: number }
    }
    return 20_000 - profile.SingleSubscription.availableTokens
  }
  await expect.poll(read).toBeLessThan(1000)
  return await read()
}

test('a stranger’s question is sent once after the link opens (S10.660, S10.661)', async ({ page, server, email }) => {
  await page.goto('/auth/signin')
  await expect(question(page)).toBeFocused()
  await question(page).fill(QUESTION)
  await page.reload()
  await expect(question(page)).toHaveValue(QUESTION)
  await question(page).press('Enter')
  await expect(page.getByLabel('Электронная почта')).toBeFocused()
  await askForLink(page, email)
  await expect(page.getByText('Ваш вопрос сохранён')).toBeVisible()
  const link = await linkIn(server, email, /Вход/)
  const context = page.context()
  await page.close()

  const opened = await context.newPage()
  await opened.goto(link)
  await expect(opened.getByText(answerTo(QUESTION))).toBeVisible()
  await expect(opened).toHaveURL(/\/threads\//)
  const charged = await chargedFor(opened)
  expect(charged).toBeGreaterThan(0)
  expect(await storedWords(opened)).not.toContain(QUESTION)
  await opened.goto('/')
  await expect(message(opened)).toHaveValue('')
  await expect(opened.getByRole('navigation', { name: 'Чаты' }).getByRole('link')).toHaveCount(1)
  expect(await chargedFor(opened)).toBe(charged)
})

test('the code from the email also sends the question (S10.661)', async ({ page, server, email }) => {
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/auth\/signin/)
  await question(page).fill(QUESTION)
  await askForLink(page, email)
  await linkIn(server, email, /Вход/)
  const [sent] = await server.emails(email)
  expect(JSON.stringify(sent)).not.toContain('небо')
  await page.getByLabel('Код из письма').fill(sent?.subject.match(/\d{6}/)?.[0] ?? '')
  await expect(page).toHaveURL(`${server.url}/profile`)
  await page.getByRole('button', { name: 'Открыть чат' }).click()
  await expect(page.getByText(answerTo(QUESTION))).toBeVisible()
})

test('another browser puts the question into the field; it is sent once (S10.663)', async ({
  page,
  browser,
  server,
  email,
}) => {
  await page.goto('/auth/signin')
  await question(page).fill(QUESTION)
  await askForLink(page, email)
  const phone = await openPhone(browser, server)
  await openOn(phone, await linkIn(server, email, /Вход/), email)
  await expect(message(phone)).toHaveValue(QUESTION)
  await expect(phone.getByText('Вы спросили это при входе')).toBeVisible()
  expect(await chargedFor(phone)).toBe(0)
  await phone.reload()
  await expect(message(phone)).toHaveValue(QUESTION)
  await phone.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(phone.getByText(answerTo(QUESTION))).toBeVisible()
  const charged = await chargedFor(phone)
  expect(await storedWords(phone)).not.toContain(QUESTION)

  // The browser it was typed in sends the same message again: it is the same chat, charged once.
  await page.goto('/auth/signin')
  await askForLink(page, email)
  await page.goto(await linkIn(server, email, /Вход/))
  await expect(page.getByText(answerTo(QUESTION))).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Чаты' }).getByRole('link')).toHaveCount(1)
  expect(await chargedFor(page)).toBe(charged)
  await phone.close()
})

test('an unaffordable question goes into the field with its words (S10.662)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.request.patch('/api/profile/balance', {
    headers: { origin: server.url },
    data: { amount: 20_000, modelId: 'demo' },
  })
  await page.context().clearCookies()
  await page.goto('/auth/signin')
  await question(page).fill(QUESTION)
  await askForLink(page, email)
  await page.goto(await linkIn(server, email, /Вход/))
  await expect(page.getByText('Закончились символы в подписке').first()).toBeVisible()
  await expect(message(page)).toHaveValue(QUESTION)
})

test('an example fills the field, and the sample shows its price (S10.669, S10.670)', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/auth/signin')
  await expect(page.getByText('Пример: так выглядят ответ и его цена')).toBeVisible()
  await page.getByRole('button', { name: 'Составь меню на неделю для четверых' }).click()
  await expect(question(page)).toHaveValue('Составь меню на неделю для четверых')
  for (const part of [page.getByRole('link', { name: 'условиями' }), page.getByText(/^\d+\sсимвол/)])
    await expect(part).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800)
  await page.getByText(/^\d+\sсимвол/).click()
  await expect(page.getByText(/^\d+\s×\s1\s\+\s\d+\s×\s1\s=\s\d+$/)).toBeVisible()
})

test('on a phone the first screen has question, address and button (S10.670)', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/auth/signin')
  for (const part of [question(page), page.getByRole('button', { name: 'Получить код' })])
    await expect(part).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test.describe('before the scripts run', () => {
  test.use({ isTakenOver: false })

  /** Holds the scripts of the page back until `release` is called. */
  async function holdScripts(page: Page): Promise<() => void> {
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/assets/main-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/auth/signin', { waitUntil: 'commit' })
    return release
  }

  test('the page is complete and loses no typed word (S10.669)', async ({ page, email }) => {
    const release = await holdScripts(page)
    const shell = page.locator('#shell')
    await expect(shell.getByText('Пример: так выглядят ответ и его цена')).toBeVisible()
    await shell.getByRole('textbox', { name: 'Ваш вопрос' }).pressSequentially('Почему')
    await shell.getByRole('textbox', { name: 'Электронная почта' }).fill(email)
    await shell.getByRole('button', { name: 'Получить код' }).click()
    release()
    await expect(page).toHaveURL(/\/auth\/email-sended/)
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByText('Ваш вопрос сохранён')).toBeVisible()
  })

  test('a page without its script says so and keeps words (S10.1424, S10.1425)', async ({ page }) => {
    let isBroken = true
    await page.route('**/assets/main-*.js', (route) => (isBroken ? route.abort() : route.continue()))
    await page.goto('/auth/signin', { waitUntil: 'commit' })
    const shell = page.locator('#shell')
    await expect(shell.getByRole('alert')).toHaveText(/Страница загрузилась не вся/)
    await shell.getByRole('textbox', { name: 'Ваш вопрос' }).fill(QUESTION)
    await shell.getByRole('textbox', { name: 'Ваш вопрос' }).press('Enter')
    await expect(shell.getByRole('button', { name: 'Дальше', includeHidden: true })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    isBroken = false
    await shell.waitFor({ state: 'detached' })
    await expect(question(page)).toHaveValue(QUESTION)
  })

  test('a button that is held down while they start is pressed', async ({ page, email }) => {
    const release = await holdScripts(page)
    const shell = page.locator('#shell')
    await shell.getByRole('textbox', { name: 'Электронная почта' }).fill(email)
    await shell.getByRole('button', { name: 'Получить код' }).hover()
    await page.mouse.down()
    release()
    await shell.waitFor({ state: 'detached' })
    await page.mouse.up()
    await expect(page).toHaveURL(/\/auth\/email-sended/)
  })
})
