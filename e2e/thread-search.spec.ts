import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { expect, signIn, startSession, test } from './steps.ts'
import { ask, chooseFromMenu, createThreads, panel } from './thread-steps.ts'

const paletteField = (page: Page) => page.getByRole('combobox', { name: /^Поиск/ })

test('the palette finds other word forms and opens the place', async ({ page, server, email }) => {
  await startSession(page, server, email)
  const [id] = await createThreads(page, 'Разговор')
  await ask(page, id, 'Расскажи, какие велосипеды лучше брать для гор')
  await page.goto('/help')
  await expect(panel(page).getByRole('link', { name: 'Разговор' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await paletteField(page).fill('велосипедом')
  const option = page.getByRole('option', { name: /Разговор/ })
  await expect(option).toContainText('велосипеды')
  await expect(option.locator('mark').first()).toHaveText('велосипеды')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/threads/${id}`))
  await expect(page.getByText('какие велосипеды лучше брать').first()).toBeInViewport()
})

test('the palette keeps early key presses and forgives the wrong layout', async ({ page, server, email }) => {
  await signIn(page, server, email)
  let load = () => {}
  const typed = new Promise<void>((done) => {
    load = done
  })
  await page.route('**/assets/palette*', async (route) => {
    await typed
    await route.continue()
  })
  await expect(page.getByRole('textbox', { name: 'Сообщение' })).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('gfhjkm', { delay: 20 })
  load()
  await expect(paletteField(page)).toHaveValue('gfhjkm')
  await expect(page.getByRole('option').first()).toContainText('Пароль')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/profile\/account#password$/)
  await page.keyboard.press('Control+k')
  await paletteField(page).fill('щщщщщ')
  await expect(page.getByText('Ничего не нашлось. Попробуйте другое слово.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(paletteField(page)).toBeHidden()
})

test('the page of chats searches, and keeps the search in its address', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await createThreads(page, 'Билеты на поезд', 'Рецепт борща')
  await page.goto('/threads')
  const main = page.getByRole('main')
  await main.getByRole('searchbox').fill('борщ')
  await expect(main.getByRole('listitem').getByRole('link')).toHaveText(['Рецепт борща'])
  await expect(page).toHaveURL(/query=/)
  await page.reload()
  await expect(main.getByRole('searchbox')).toHaveValue('борщ')
  await expect(main.getByRole('listitem').getByRole('link')).toHaveText(['Рецепт борща'])
  await main.getByRole('searchbox').fill('велосипед')
  await expect(main.getByRole('heading', { name: 'Ничего не нашлось' })).toBeVisible()
  await main.getByRole('button', { name: 'Показать все' }).click()
  await expect(main.getByRole('searchbox')).toHaveValue('')
  await expect(main.getByRole('listitem').getByRole('link')).toHaveText(['Рецепт борща', 'Билеты на поезд'])
})

test('a shared link shows the chat of that moment until it closes', async ({ page, browser, server, email }) => {
  await startSession(page, server, email)
  const [id] = await createThreads(page, 'Поход')
  await ask(page, id, 'Что взять в поход?')
  await page.goto(`/threads/${id}`)
  const header = page.getByRole('main').getByRole('banner').or(page.locator('main header')).first()
  await header.getByRole('button', { name: 'Меню чата «Поход»' }).click()
  await page.getByRole('menuitem', { name: 'Поделиться' }).click()
  const dialog = page.getByRole('dialog', { name: 'Поделиться чатом' })
  await dialog.getByRole('button', { name: 'Создать ссылку' }).click()
  const address = await dialog.getByLabel('Ссылка на чат').inputValue()
  expect(address).toContain(`${server.url}/shared/`)

  const stranger = await browser.newPage({ baseURL: server.url, locale: 'ru-RU' })
  await stranger.goto(address)
  await expect(stranger.getByRole('heading', { name: 'Поход' })).toBeVisible()
  await expect(stranger.getByText('Что взять в поход?').first()).toBeVisible()
  await expect(stranger.getByRole('link', { name: /Начать свой чат/ })).toBeVisible()

  await ask(page, id, 'А сколько воды?')
  await stranger.reload()
  await expect(stranger.getByText('Что взять в поход?').first()).toBeVisible()
  await expect(stranger.getByText('А сколько воды?')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Обновить ссылку' }).click()
  await expect(dialog.getByText('Готово: по ссылке виден чат до последнего сообщения.')).toBeVisible()
  await stranger.reload()
  await expect(stranger.getByText('А сколько воды?').first()).toBeVisible()

  await dialog.getByRole('button', { name: 'Закрыть доступ' }).click()
  await expect(dialog.getByText('прежняя ссылка больше не работает')).toBeVisible()
  await stranger.reload()
  await expect(stranger.getByRole('heading', { name: '404' })).toBeVisible()
  await stranger.close()
})

test('menu, renaming and sharing in the header do not scroll the chat (S10.164)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  const [id] = await createThreads(page, 'Поход')
  for (const text of ['Что взять?', 'Куда пойти?', 'Когда вернуться?']) await ask(page, id, text)
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.goto(`/threads/${id}`)
  await expect(page.getByText('Когда вернуться?').first()).toBeInViewport()
  const scrollPosition = () => page.evaluate(() => Math.round(scrollY))
  await expect.poll(scrollPosition).toBeGreaterThan(100)
  const before = await scrollPosition()
  const menu = page.getByRole('main').getByRole('button', { name: 'Меню чата «Поход»' })
  await menu.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await scrollPosition()).toBe(before)
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.getByRole('button', { name: 'Поход', exact: true }).press('Enter')
  await page.keyboard.press('Escape')
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Поделиться' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Поделиться чатом' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await scrollPosition()).toBe(before)
})

test('a chat is downloaded as Markdown, JSON and Word', async ({ page, server, email }) => {
  await startSession(page, server, email)
  const [id] = await createThreads(page, 'Поход в горы')
  await ask(page, id, 'Что взять с собой?')
  await page.goto('/help')
  const files: Download[] = []
  page.on('download', (file) => files.push(file))
  for (const item of ['Скачать в Markdown', 'Скачать в JSON', 'Скачать в Word'])
    await chooseFromMenu(page, 'Поход в горы', item)
  await expect.poll(() => files.length).toBe(3)
  const read = async (file?: Download) => readFileSync((await file?.path()) ?? '')
  expect(files.map((file) => file.suggestedFilename())).toEqual([
    'Поход в горы.md',
    'Поход в горы.json',
    'Поход в горы.docx',
  ])
  expect((await read(files[0])).toString()).toContain('Что взять с собой?')
  expect(JSON.stringify(JSON.parse((await read(files[1])).toString()))).toContain('Что взять с собой?')
  expect((await read(files[2])).subarray(0, 2).toString()).toBe('PK')
})

test('settings of chats are saved at once, wrong values show an error', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/profile/settings#chat')
  const section = page.getByRole('region', { name: 'Настройки чата' })
  await section.getByLabel('Длина истории').fill('0')
  await expect(section.getByText('Нужно целое число от 1 до 200.')).toBeVisible()
  const saved = () => page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  const limit = saved()
  await section.getByLabel('Длина истории').fill('7')
  await limit
  await section.getByText('Дополнительно').click()
  const prompt = saved()
  await section.getByLabel('Промпт для названий').fill('Одним словом')
  await section.getByLabel('Модель для новых чатов').focus()
  await prompt
  const memory = saved()
  await section.getByRole('switch', { name: 'Помнить историю чата' }).click()
  await memory
  await section.getByRole('switch', { name: 'Enter отправляет сообщение' }).click()
  await page.reload()
  await expect(section.getByRole('switch', { name: 'Помнить историю чата' })).not.toBeChecked()
  await expect(section.getByRole('switch', { name: 'Enter отправляет сообщение' })).not.toBeChecked()
  await expect(section.getByLabel('Промпт для названий')).toHaveValue('Одним словом')
  await section.getByRole('switch', { name: 'Помнить историю чата' }).click()
  await expect(section.getByLabel('Длина истории')).toHaveValue('7')
})
