import type { Page } from '@playwright/test'
import { topUp } from './admin.ts'
import { numberedWords, TITLE } from './model.ts'
import { expect, signIn, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

/** Talking with a model. The question says what the scripted model does: see e2e/model.ts. */

const field = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })
const log = (page: Page) => page.getByRole('log', { name: 'Сообщения чата' })
const lastAnswer = (page: Page) => log(page).getByRole('article').last()
const stopButton = (page: Page) => page.getByRole('button', { name: 'Остановить' })
const whole = (count: number) => numberedWords(count).join('').trim()

async function say(page: Page, text: string) {
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
}

async function anotherWindow(page: Page, path = page.url()): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(path)
  return other
}

test.beforeEach(({ page, server, email }) => signIn(page, server, email))

test('a first message becomes a titled chat (S1.17, S2.40, S10.4)', async ({ page }) => {
  await say(page, 'Привет')
  await expect(page).toHaveURL(/\/threads\/[\w-]+$/)
  await expect(lastAnswer(page)).toContainText('Вы спросили: «Привет».')
  await expect(page.getByRole('complementary').getByRole('link', { name: TITLE })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(TITLE))
  await expect(lastAnswer(page).getByRole('button', { name: /символ/ })).toBeVisible()
  await field(page).fill('А дальше?')
  await expect(page.getByTitle(/^Вопрос и история \d.*ответ/)).toBeVisible()
})

test('reloading in the middle of an answer loses nothing (S2.40, S10.109)', async ({ page }) => {
  await say(page, 'медленно 40')
  await expect(lastAnswer(page)).toContainText('слово5')
  await page.reload()
  await expect(lastAnswer(page)).toContainText('слово5')
  await expect(lastAnswer(page)).toContainText(whole(40))
  await expect(stopButton(page)).toBeHidden()
})

test('two windows stay in step, and either can stop the answer', async ({ page }) => {
  await say(page, 'Первое')
  await expect(lastAnswer(page)).toContainText('Вы спросили')
  const other = await anotherWindow(page)
  await expect(lastAnswer(other)).toContainText('Вы спросили')
  await say(page, 'медленно 100')
  await expect(lastAnswer(other)).toContainText('слово3')
  await stopButton(other).click()
  await expect(stopButton(page)).toBeHidden()
  const stopped = await lastAnswer(page).getByText('слово1').first().textContent()
  await expect(lastAnswer(other)).toContainText((stopped ?? '').trim().split(' ').slice(0, 3).join(' '))
  await expect(lastAnswer(page)).not.toContainText('слово100')
  await expect(lastAnswer(page)).toContainText(/остановлен/i)
})

test('an answer is whole after the network was lost and came back (S10.110)', async ({ page, context }) => {
  await say(page, 'медленно 60')
  await expect(lastAnswer(page)).toContainText('слово5')
  await context.setOffline(true)
  await expect(page.getByText('Нет интернета', { exact: false })).toBeVisible()
  // The server writes on meanwhile: there must be something that the page has missed.
  const stored = async () => (await page.request.get(`/api${new URL(page.url()).pathname}`)).text()
  await expect.poll(stored).toContain('слово25')
  await context.setOffline(false)
  await expect(lastAnswer(page)).toContainText(whole(60))
})

test('a message written offline is sent later, even after a reload (S10.124)', async ({ page, context }) => {
  await say(page, 'Первое')
  await expect(lastAnswer(page)).toContainText('Вы спросили: «Первое».')
  await context.setOffline(true)
  await say(page, 'Второе')
  await expect(page.getByText('Отправится, когда появится связь').first()).toBeVisible()
  await context.setOffline(false)
  await expect(lastAnswer(page)).toContainText('Вы спросили: «Второе».')
  await expect(log(page).getByText('Второе', { exact: true })).toHaveCount(1)
})

test('an answer survives a killed server and can be continued (S10.114)', async ({ page, server }) => {
  await say(page, 'медленно 200')
  await expect(lastAnswer(page)).toContainText('слово45')
  await server.kill()
  await expect(lastAnswer(page)).toContainText(/прерв/i)
  await expect(lastAnswer(page)).toContainText('слово20')
  await lastAnswer(page).getByRole('button', { name: 'Продолжить ответ' }).click()
  await expect(lastAnswer(page)).toContainText('— и вот конец.')
  const check = await page.request.get('/api/users/me')
  expect((await check.json()).SingleSubscription.held).toBe(0)
})

test('a question is edited, and both versions stay (S10.116)', async ({ page }) => {
  await say(page, 'Один')
  await expect(lastAnswer(page)).toContainText('«Один»')
  const question = log(page).getByRole('article', { name: 'Вы' })
  await question.hover()
  await question.getByRole('button', { name: 'Изменить' }).click()
  await page.getByRole('textbox', { name: 'Изменить сообщение' }).fill('Два')
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('«Два»')
  await expect(question.getByText('2/2')).toBeVisible()
  await question.getByRole('button', { name: 'Прежняя версия' }).click()
  await expect(lastAnswer(page)).toContainText('«Один»')
  await page.reload()
  await expect(lastAnswer(page)).toContainText('«Один»')
})

test('another model answers again, and both versions stay (S1.17)', async ({ page }) => {
  await say(page, 'Один')
  await expect(lastAnswer(page)).toContainText('«Один»')
  await lastAnswer(page).hover()
  await lastAnswer(page).getByRole('button', { name: 'Ответить заново другой моделью' }).click()
  await page.getByRole('menuitem', { name: /^Демо(?!-)/ }).click()
  await expect(lastAnswer(page)).toContainText('демонстрационная модель')
  await expect(lastAnswer(page).getByText('2/2')).toBeVisible()
})

test('an answer goes on after symbols ran out and were topped up (S10.10)', async ({ page, browser, server }) => {
  await page.request.patch('/api/profile/balance', {
    data: { amount: 19_950, modelId: 'script' },
    headers: { origin: server.url },
  })
  await page.reload()
  await say(page, 'медленно 60')
  const card = lastAnswer(page).getByRole('region', { name: 'Символы закончились' })
  await expect(card).toBeVisible()
  await expect(card.getByRole('link', { name: /^Тариф «.+»: .+ за .+ на 30/ })).toBeVisible()
  const shown = await lastAnswer(page).textContent()
  expect(shown).toContain('слово1')
  await say(page, 'Ещё вопрос')
  await expect(field(page)).toHaveValue('Ещё вопрос')

  await topUp(page, browser, server, 5000)
  await page.reload()
  await lastAnswer(page).getByRole('button', { name: 'Продолжить ответ' }).click()
  await expect(lastAnswer(page)).toContainText('— и вот конец.')
  await expect(field(page)).toHaveValue('Ещё вопрос')
})

test('personal data is hidden from a foreign model, or sent on request (S10.338)', async ({ page }) => {
  await page.goto('/profile/settings')
  await page.getByRole('switch', { name: 'Скрывать личное' }).click()
  await page.getByLabel('Имена, которые тоже скрывать').fill('Анна')
  await page.getByLabel('Имена, которые тоже скрывать').blur()
  await page.goto('/')
  await field(page).fill('Передай по буквам Анне: +7 999 123-45-67')
  await expect(page.getByText('Модель не увидит: телефон, имя')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('[·т·е·л·е·ф·о·н· ·1·]')
  await page.reload()
  await page.getByRole('button', { name: 'Скрыто от модели: телефон, имя' }).click()
  await expect(page.getByText('+7 999 123-45-67', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Отправить как есть/ }).click()
  await expect(lastAnswer(page)).toContainText('9·9·9· ·1·2·3')
  await expect(page.getByText(/Скрыто от модели/)).toBeHidden()
  // The usual case: the model writes the token, and the user reads the original text.
  await field(page).fill('Мой номер 89991234567')
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('Вы спросили: «Мой номер 89991234567».')
  await expect(page.getByRole('button', { name: /^Скрыто от модели: телефон/ })).toBeVisible()
})

test('a failed model says so, costs nothing and can be asked again', async ({ page, browserErrors }) => {
  await say(page, 'сломайся')
  await expect(lastAnswer(page)).toContainText('Модель не отвечает')
  await expect(lastAnswer(page).getByRole('button', { name: /Повторить/ })).toBeVisible()
  const profile = await (await page.request.get('/api/users/me')).json()
  expect(profile.SingleSubscription.availableTokens).toBe(20_000)
  browserErrors.length = 0
})

test('an answer is shown as text, never as HTML (S10.127)', async ({ page, server }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url())
  })
  await say(page, 'разметка')
  const answer = lastAnswer(page)
  await expect(answer.getByRole('heading', { name: 'Заголовок' })).toBeVisible()
  await expect(answer.getByRole('table')).toBeVisible()
  await expect(answer.getByRole('link', { name: 'ссылка' })).toHaveAttribute('rel', /nofollow/)
  await expect(answer.getByText('опасная')).toBeVisible()
  await expect(answer.getByRole('link', { name: 'опасная' })).toHaveCount(0)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(foreign.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([])
})

test("another user's chat is not found (S2.79)", async ({ page, browserErrors }) => {
  await page.goto('/threads/no-such-thread')
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
  await expect(page.getByText('У вас нет беседы с таким ID')).toBeVisible()
  // React logs what the error boundary caught.
  browserErrors.length = 0
})

test('a text file goes along with the question (S10.128)', async ({ page }) => {
  await page
    .getByLabel('Файлы')
    .setInputFiles({ name: 'заметка.txt', mimeType: 'text/plain', buffer: Buffer.from('Секретное слово: берёза') })
  await expect(page.getByRole('list', { name: 'Приложенные файлы' })).toContainText('заметка.txt')
  await say(page, 'Что в файле?')
  await expect(lastAnswer(page)).toContainText('берёза')
  await expect(log(page).getByRole('list', { name: 'Приложено' })).toContainText('заметка.txt')
})

test('a person can chat by keyboard alone', async ({ page, server }) => {
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Первая строка')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('вторая')
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('вторая')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('медленно 100')
  await page.keyboard.press('Enter')
  await expect(lastAnswer(page)).toContainText('слово2')
  await page.keyboard.press('Escape')
  await expect(lastAnswer(page)).toContainText(/остановлен/i)
  await page.keyboard.press('Control+Shift+O')
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(field(page)).toBeFocused()
})

test('at 360 px a person writes, reads and returns to the list', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  await say(page, 'разметка')
  await expect(lastAnswer(page).getByRole('table')).toBeVisible()
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: TITLE })).toBeVisible()
})
