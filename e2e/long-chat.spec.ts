import type { Page } from '@playwright/test'
import { expect, startSession, test } from './steps.ts'
import { storedThread } from './thread-steps.ts'

const longThread = {
  id: 'long-thread',
  count: 2000,
  text: `'Сообщение ' || i || '. ' || repeat('Обычные слова разной длины. ', 1 + i % 12)`,
}

const message = (page: Page, number: number) =>
  page.getByRole('log', { name: 'Сообщения чата' }).getByText(new RegExp(`^Сообщение ${number}\\.`))

test('a chat of 2,000 messages opens at its end and scrolls smoothly (S10.131, S10.461)', async ({
  page,
  server,
  email,
}) => {
  await startSession(page, server, email)
  await server.rewrite(storedThread(email, longThread))
  await page.addInitScript(`new MutationObserver(() => {
    globalThis.firstRows ||= document.querySelectorAll('#root [role=log] > ol > li').length
  }).observe(document, { subtree: true, childList: true })`)
  await page.goto('/threads/long-thread')
  await expect(message(page, 2000)).toBeInViewport()
  // What is above the screen is rendered after it has been painted.
  expect(await page.evaluate('firstRows')).toBe(20)
  await expect(message(page, 1950)).toBeAttached()
  await expect(message(page, 1800)).not.toBeAttached()

  await page.mouse.move(700, 400)
  await expect(async () => {
    await page.mouse.wheel(0, -4000)
    await expect(message(page, 1850)).toBeAttached({ timeout: 500 })
  }).toPass({ timeout: 30_000 })
  await message(page, 1850).scrollIntoViewIfNeeded()
  const top = async () => (await message(page, 1850).boundingBox())?.y ?? 0
  // Scrolling continues for a moment after the wheel event.
  let before = Number.NaN
  await expect
    .poll(async () => {
      const last = before
      before = await top()
      return Math.abs(before - last) < 1
    })
    .toBe(true)
  // Nothing to wait for: this proves that older messages, which arrive about now, move nothing.
  await page.waitForTimeout(1000)
  expect(Math.abs((await top()) - before)).toBeLessThan(3)

  await page.getByRole('button', { name: 'К последнему' }).click()
  await expect(message(page, 2000)).toBeInViewport()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('И ещё одно')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByRole('article').last()).toContainText('Вы спросили: «И ещё одно».')
})

/** Twelve exchanges of 4,000 symbols each. */
const dearThread = { id: 'dear-thread', count: 24, text: `'Сообщение ' || i || '. ' || repeat('Слова. ', 280)` }

/** To pay for their summary. */
const manySymbols = (email: string) => `
  select money_grant('gift-for-' || id, 'grant-for-' || id, id, 'gift', 500000, null::timestamptz, '{}'::jsonb, null::timestamptz)
    from users where email = '${email}';`

test('the beginning of a long chat is summed up, read and edited (S10.354)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await server.rewrite(manySymbols(email) + storedThread(email, dearThread))
  await page.goto('/threads/dear-thread')
  const offer = page.getByRole('region', { name: 'Длинная история' })
  await expect(offer).toContainText(/История этого чата: 39\s\d{3}\sсимвол\S* за каждый вопрос\. Сжать до ≈\s/)
  await offer.getByRole('button', { name: /^Сжать ·/ }).click()
  const line = page.getByRole('button', { name: /^Начало чата сжато: 18 сообщений → / })
  await line.click()
  await expect(offer).toBeHidden()
  await page.getByRole('button', { name: 'Исправить текст' }).click()
  await page.getByRole('textbox', { name: 'Сжатое начало чата' }).fill('Говорили о словах, решили продолжать.')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Текст исправлен вами.')).toBeVisible()

  await page.reload()
  await line.click()
  await expect(page.getByText('Говорили о словах, решили продолжать.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Что дальше?')
  await expect(page.getByTitle(/^Вопрос и история 4\s\d{3}/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByRole('article').last()).toContainText('Вы спросили:')
  await page
    .getByRole('log')
    .getByRole('article')
    .last()
    .getByRole('button', { name: /символ/ })
    .click()
  await expect(page.getByText('Сжатое начало чата')).toBeVisible()
})
