import type { Locator } from '@playwright/test'
import type { TestServer } from './server.ts'
import { expect, startSession, test } from './steps.ts'
import { chooseFromMenu, createThreads, panel } from './thread-steps.ts'
import { expectNoOverflow } from './visual-check.ts'

/** Makes a chat older than a test can wait for. */
function age(server: TestServer, days: Record<string, number>): Promise<void> {
  const changes = Object.entries(days).map(
    ([title, back]) =>
      `update threads set updated_at = now() - interval '${back} days' where title = '${title.replaceAll("'", "''")}';`,
  )
  return server.rewrite(changes.join('\n'))
}

const titlesIn = (list: Locator) => list.getByRole('link').allTextContents()

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('the panel groups chats by day and loads older chats while scrolling (S2.40, S6.19)', async ({
  page,
  server,
  email,
}) => {
  const tag = email.slice(7, 17)
  const many = Array.from({ length: 110 }, (_, i) => `Чат ${tag} ${i}`)
  await createThreads(page, ...many)
  const today = new Date()
  const old = Math.round((today.getTime() - new Date(today.getFullYear() - 1, 4, 10, 12).getTime()) / 86_400_000)
  await age(server, {
    [`Чат ${tag} 108`]: 1,
    [`Чат ${tag} 107`]: 4,
    [`Чат ${tag} 106`]: old,
    ...Object.fromEntries(many.slice(0, 100).map((title, i) => [title, old + 1 + i / 1000])),
  })
  await page.goto('/')
  const list = panel(page)
  const group = (name: string) => list.getByRole('list', { name })
  await expect(group('Сегодня').getByRole('link').first()).toHaveText(`Чат ${tag} 109`)
  await expect(group('Вчера').getByRole('link')).toHaveText([`Чат ${tag} 108`])
  await expect(group('7 дней').getByRole('link')).toHaveText([`Чат ${tag} 107`])
  const may = group(`Май ${today.getFullYear() - 1}`)
  await expect(may.getByRole('link').first()).toHaveText(`Чат ${tag} 106`)
  const oldest = list.getByRole('link', { name: `Чат ${tag} 0`, exact: true })
  await expect(list.getByRole('link')).not.toHaveCount(110)
  await expect(async () => {
    await list.getByRole('link').last().scrollIntoViewIfNeeded()
    await expect(list.getByRole('link')).toHaveCount(110, { timeout: 500 })
  }).toPass()
  await expect(may.getByRole('link').last()).toHaveText(`Чат ${tag} 99`)
  await expect(oldest).toHaveCount(1)
})

test('a chat renamed in the panel changes at once in another window', async ({ page, context }) => {
  await createThreads(page, 'Отпуск', 'Борщ')
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/help')
  await expect(panel(other).getByRole('link', { name: 'Отпуск' })).toBeVisible()

  await chooseFromMenu(page, 'Отпуск', 'Переименовать')
  await page.getByRole('textbox', { name: 'Название чата' }).fill('Отпуск в Крыму')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('link', { name: 'Отпуск в Крыму' })).toBeVisible()
  await expect(panel(other).getByRole('link', { name: 'Отпуск в Крыму' })).toBeVisible()

  await chooseFromMenu(page, 'Борщ', 'Переименовать')
  await page.getByRole('textbox', { name: 'Название чата' }).fill('Не то')
  await page.keyboard.press('Escape')
  expect(await titlesIn(panel(page))).toEqual(['Борщ', 'Отпуск в Крыму'])
})

test('a rename that the server refuses is taken back', async ({ page }) => {
  await createThreads(page, 'Отпуск')
  await page.goto('/')
  await page.route('**/api/threads/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { status: 409, code: 'conflict', message: 'Нельзя' } })
      : route.continue(),
  )
  await chooseFromMenu(page, 'Отпуск', 'Переименовать')
  await page.getByRole('textbox', { name: 'Название чата' }).fill('Другое')
  await page.keyboard.press('Enter')
  await expect(page.getByText('409: Нельзя').first()).toBeVisible()
  expect(await titlesIn(panel(page))).toEqual(['Отпуск'])
})

test('a chat is pinned, archived and brought back', async ({ page }) => {
  await createThreads(page, 'Первый', 'Второй', 'Третий')
  await page.goto('/')
  const list = panel(page)
  await chooseFromMenu(page, 'Первый', 'Закрепить')
  await expect(list.getByRole('list', { name: 'Закреплённые' }).getByRole('link')).toHaveText(['Первый'])
  expect(await titlesIn(list)).toEqual(['Первый', 'Третий', 'Второй'])

  await chooseFromMenu(page, 'Третий', 'В архив')
  await expect(list.getByRole('link')).toHaveText(['Первый', 'Второй'])
  await page.goto('/threads?view=archived')
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem').getByRole('link')).toHaveText(['Третий'])
  await main.getByRole('checkbox', { name: 'Выбрать «Третий»' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Вернуть' }).click()
  await expect(main.getByRole('heading', { name: 'Архив пуст' })).toBeVisible()
  await expect(list.getByRole('link')).toHaveText(['Первый', 'Третий', 'Второй'])
  await page.reload()
  await expect(list.getByRole('link')).toHaveText(['Первый', 'Третий', 'Второй'])
})

test('«Отменить» brings a deleted chat back to its place', async ({ page }) => {
  await createThreads(page, 'Первый', 'Второй', 'Третий')
  await page.goto('/help')
  await chooseFromMenu(page, 'Второй', 'Удалить')
  await expect(page.getByText('Чат в корзине')).toBeVisible()
  await expect(panel(page).getByRole('link')).toHaveText(['Третий', 'Первый'])
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(panel(page).getByRole('link')).toHaveText(['Третий', 'Второй', 'Первый'])
  await expect(page).toHaveURL(/\/help$/)
  await page.reload()
  await expect(panel(page).getByRole('link')).toHaveText(['Третий', 'Второй', 'Первый'])
})

test('deleting the open chat opens the first remaining, or home (S2.76)', async ({ page, server }) => {
  const [first, second] = await createThreads(page, 'Первый', 'Второй')
  await page.goto(`/threads/${first}`)
  await expect(page.getByRole('heading', { name: 'Первый' })).toBeVisible()
  await chooseFromMenu(page, 'Первый', 'Удалить')
  await expect(page).toHaveURL(`${server.url}/threads/${second}`)
  await expect(page.getByRole('heading', { name: 'Второй' })).toBeVisible()
  await chooseFromMenu(page, 'Второй', 'Удалить')
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(panel(page).getByText('Здесь появятся ваши чаты')).toBeVisible()
  // The toast of the previous deletion is still closing.
  await expect(page.getByRole('button', { name: 'Отменить' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(page).toHaveURL(`${server.url}/threads/${second}`)
})

test('several chats go to the trash, come back or are deleted forever', async ({ page }) => {
  await createThreads(page, 'Первый', 'Второй', 'Третий', 'Четвёртый')
  await page.goto('/threads')
  const main = page.getByRole('main')
  await main.getByRole('checkbox', { name: 'Выбрать «Четвёртый»' }).click()
  await main.getByRole('checkbox', { name: 'Выбрать «Второй»' }).click({ modifiers: ['Shift'] })
  const tools = page.getByRole('toolbar')
  await expect(tools).toContainText('Выбрано 3')
  await tools.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('3 чата в корзине')).toBeVisible()
  await expect(main.getByRole('listitem').getByRole('link')).toHaveText(['Первый'])

  await main.getByRole('tab', { name: 'Корзина' }).click()
  await expect(page).toHaveURL(/view=trash/)
  await expect(main.getByRole('listitem')).toHaveCount(3)
  await expect(main.getByText('Исчезнет через 30 дней').first()).toBeVisible()
  await main.getByRole('listitem').filter({ hasText: 'Третий' }).getByRole('button', { name: 'Восстановить' }).click()
  await expect(main.getByRole('listitem')).toHaveCount(2)
  await main.getByRole('checkbox', { name: 'Выбрать все' }).check()
  await tools.getByRole('button', { name: 'Удалить навсегда' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Удалить 2 чата навсегда?' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect(main.getByRole('heading', { name: 'Корзина пуста' })).toBeVisible()
  await page.reload()
  await expect(main.getByRole('heading', { name: 'Корзина пуста' })).toBeVisible()
  await expect(panel(page).getByRole('link')).toHaveText(['Третий', 'Первый'])
})

test('on a phone chats are in the drawer, and notices stay visible', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 720 })
  const [first] = await createThreads(page, 'Первый', 'Второй')
  await page.goto('/')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  const drawer = page.getByRole('dialog', { name: 'Меню' })
  await drawer.getByRole('link', { name: 'Второй' }).hover()
  await drawer.getByRole('button', { name: 'Меню чата «Второй»' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(drawer).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await drawer.getByRole('link', { name: 'Первый' }).click()
  await expect(page).toHaveURL(`${server.url}/threads/${first}`)
  await expect(drawer).toBeHidden()
  await page.goto('/threads')
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link')).toHaveText(['Второй', 'Первый'])
  await expectNoOverflow(page)
  await page.getByRole('button', { name: /Поиск/ }).click()
  await expect(page.getByRole('option', { name: /Второй/ })).toBeVisible()
  await expectNoOverflow(page)
})

test('chats can be managed by keyboard alone', async ({ page, server }) => {
  const [first] = await createThreads(page, 'Первый', 'Второй', 'Третий')
  await page.goto('/help')
  const list = panel(page)
  const top = list.getByRole('link', { name: 'Третий' })
  await expect(top).toBeVisible()
  const isFocused = () => top.evaluate((element) => element === document.activeElement)
  for (let i = 0; i < 30 && !(await isFocused()); i++) await page.keyboard.press('Tab')
  await expect(top).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('link', { name: 'Второй' })).toBeFocused()
  await page.keyboard.press('F2')
  await page.keyboard.insertText('Другой')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('link', { name: 'Другой' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Закрепить' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('list', { name: 'Закреплённые' }).getByRole('link', { name: 'Другой' })).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText('Первый')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/threads/${first}`)
})
