import { expect, startSession, test } from './steps.ts'

/** The demo searches the help pages of its own server, so an answer can be followed to a page that opens. */

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('a question is answered from pages, and its citation opens the quoted place (S10.310)', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  const toggle = page.getByRole('button', { name: /^Поиск в интернете/ })
  await page.getByRole('button', { name: /^Модель: / }).click()
  await page.getByRole('option', { name: /^Демо(?!-)/ }).click()
  await toggle.click()
  await field.fill('Как считаются символы за ответ?')
  await expect(toggle).toHaveText(/^Поиск в интернете · до 5\s500$/)
  await expect(page.getByText(/Вопрос 31 \+ поиск 1\s500 \+ страницы до 4\s000/)).toBeVisible()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page).toHaveURL(/\/threads\//)
  const answer = page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
  await expect(answer).toContainText('На страницах нашлось')
  await expect(answer.getByText('Поиск: Как считаются символы за ответ?')).toBeVisible()
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')

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

test('a question that may take more than half of the balance asks first, and nothing typed is lost (S10.634)', async ({
  page,
}) => {
  await page.goto('/')
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  await page.getByRole('button', { name: 'Какой поиск' }).click()
  await page.getByRole('menuitemradio', { name: /^Подробный/ }).click()
  await page.keyboard.press('Escape')
  await field.fill('Как считаются символы за ответ?')
  await field.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(/может стоить до 13\s531 из 20\s000 символов/)
  await expect(question.getByRole('button', { name: 'Отправить' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Как считаются символы за ответ?')
  await field.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/threads\//)
  const answer = page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
  await expect(answer.getByTitle('Из чего сложилась цена')).toBeVisible()
  // Another answer would take more than half of what is left, so it asks too.
  await answer.hover()
  await expect(answer.getByRole('button', { name: /^Ответить заново · до 1\d\s\d{3}$/ })).toBeVisible()
})
