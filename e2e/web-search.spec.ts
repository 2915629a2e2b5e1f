import { expect, startSession, test } from './steps.ts'

/** The demo searches the help pages of its own server, so an answer can be followed to a page that opens. */

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('a question is answered from pages, and its citation opens the quoted place', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  const toggle = page.getByRole('button', { name: /^Поиск в интернете/ })
  await page.getByRole('button', { name: /^Модель: / }).click()
  await page.getByRole('option', { name: /^Демо(?!-)/ }).click()
  await toggle.click()
  await field.fill('Как считаются символы за ответ?')
  await expect(page.getByText(/Вопрос 31 \+ поиск 1\s500 \+ страницы до/)).toBeVisible()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page).toHaveURL(/\/threads\//)
  const answer = page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
  await expect(answer).toContainText('На страницах нашлось')
  await expect(answer.getByText('Поиск: Как считаются символы за ответ?')).toBeVisible()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')

  await answer.getByRole('button', { name: /^Источник 1: / }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Демонстрационный поиск по справке')).toBeVisible()
  await expect(dialog.getByRole('blockquote')).not.toBeEmpty()
  const opened = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: 'Открыть страницу' }).click()
  await expect((await opened).getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Escape')
  await answer.getByTitle('Из чего сложилась цена').click()
  await expect(page.getByText('Страницы из интернета')).toBeVisible()
  await expect(page.getByText('Поиск в интернете', { exact: true })).toBeVisible()
})
