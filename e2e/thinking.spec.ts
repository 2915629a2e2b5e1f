import type { Page } from '@playwright/test'
import { expect, signIn, test } from './steps.ts'
import { expectNoOverflow, violations } from './visual-check.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })
const lastAnswer = (page: Page) => page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
const wholeThought = (page: Page) => lastAnswer(page).getByRole('region', { name: 'Размышления модели' })

test('a person chooses deep thinking and sees the thought after a reload (S10.370, S10.437)', async ({
  page,
  server,
  email,
}) => {
  await signIn(page, server, email)
  await page.getByRole('button', { name: /^Модель:/ }).click()
  await page.getByRole('option', { name: /^Демо / }).click()
  await page.getByRole('button', { name: 'Сколько думать: Обычно' }).click()
  await page.getByRole('menuitemradio', { name: /^Подумать дольше/ }).click()
  await field(page).fill('Сколько будет дважды два?')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()

  // The thought is seen while it grows, and a reload in the middle of it loses nothing.
  await lastAnswer(page)
    .getByRole('button', { name: /^(Думает…|Размышления)/ })
    .click()
  await expect(wholeThought(page)).toContainText('Это демонстрация размышлений')
  await page.reload()
  await lastAnswer(page)
    .getByRole('button', { name: /^(Думает…|Размышления)/ })
    .click()
  await expect(wholeThought(page)).toContainText('Теперь можно отвечать.')
  await expect(lastAnswer(page)).toContainText('Вы написали: «Сколько будет дважды два?»')
  await expect(lastAnswer(page).getByRole('button', { name: /символ/ })).toBeVisible()
  expect(await violations(page)).toEqual([])

  // What was chosen stays with the chat; the folded thought says how long it took.
  await expect(page.getByRole('button', { name: 'Сколько думать: Подумать дольше' })).toBeVisible()
  const line = lastAnswer(page).getByRole('button', { name: /^Размышления, \d+/ })
  await line.click()
  await expect(wholeThought(page)).toBeHidden()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoOverflow(page)
  // The menu behind «+» leaves room for a long name of a model.
  await expect(page.getByRole('button', { name: 'Добавить к вопросу' })).toBeVisible()
  const name = page.getByRole('button', { name: /^Модель: / }).locator('span')
  const fits = await name.evaluate((text) => {
    text.textContent = 'Claude Sonnet 5'
    return text.scrollWidth <= text.clientWidth
  })
  expect(fits).toBe(true)

  await lastAnswer(page).getByRole('button', { name: 'Ответить заново другой моделью' }).click()
  await page.getByRole('menuitem', { name: /^Без размышлений/ }).click()
  await expect(lastAnswer(page)).toContainText('Версия 2/2')
  await expect(lastAnswer(page)).toContainText('Вы написали')
  await expect(lastAnswer(page).getByRole('button', { name: /^Размышления/ })).toBeHidden()
})
