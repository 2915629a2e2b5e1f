import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { asOwner, closeNotice } from './admin.ts'
import type { TestServer } from './server.ts'
import { expect, nextFrame, search, signIn, startSession, test } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

async function another(browser: Browser, server: TestServer, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await signIn(page, server, email)
  return page
}

async function write(page: Page, name: string, content: string, category = 'Мои заготовки') {
  await page.goto('/prompts/add')
  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Текст', { exact: true }).fill(content)
  await page.getByLabel('Категория').fill(category)
  await page.getByRole('button', { name: 'Сохранить промпт' }).click()
  await expect(title(page, name)).toBeVisible()
}

async function action(page: Page, name: string) {
  await page.getByRole('button', { name: 'Ещё', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function fillRejection(page: Page) {
  await page.goto('/prompts')
  await search(page, page.getByLabel('Поиск промптов'), 'вежливыми отказами')
  await card(page, 'Вежливый отказ').getByRole('button', { name: 'Использовать' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Кому')).toBeFocused()
  await dialog.getByRole('button', { name: 'В новый чат' }).click()
  await expect(dialog.getByText('Заполните это поле.').first()).toBeVisible()
  await expect(dialog.getByLabel('Кому')).toBeFocused()
  await dialog.getByLabel('Кому').fill('поставщик {{кому}}')
  await dialog.getByLabel('Просьба').fill('Продлить отсрочку ещё на месяц')
  await dialog.getByLabel('Настоящая причина').fill('Не успевают платить')
  await dialog.getByLabel('Обращение').selectOption('на ты')
  await expect(dialog.getByRole('region', { name: 'Готовый текст' })).toContainText(
    'Кому отказываю: поставщик {{кому}}',
  )
  await dialog.getByRole('button', { name: 'В новый чат' }).click()
  await expect(page).toHaveURL(/\/$/)
}

test('a person finds a prompt, fills its variables and gets the text (S2.40)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await fillRejection(page)
  const composer = page.getByRole('textbox', { name: 'Сообщение' })
  await expect(composer).toHaveValue(/Кому отказываю: поставщик \{\{кому\}\}\n/)
  await expect(composer).toHaveValue(/Как мы общаемся: на ты\n/)
  await page.reload()
  await expect(composer).toHaveValue(/Продлить отсрочку ещё на месяц/)
})

test('a filled prompt is sent, and its thread opens', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await fillRejection(page)
  await page.getByRole('button', { name: 'Отправить' }).click()
  await expect(page).toHaveURL(/\/threads\//)
  await expect(page.getByText('Продлить отсрочку ещё на месяц').first()).toBeVisible()
})

test('the library shows prompts by category, and the address keeps it', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await page.getByRole('link', { name: 'Промпты' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Письма и переписка' })).toBeVisible()
  expect(await page.getByRole('article').count()).toBeGreaterThanOrEqual(40)
  await page.getByLabel('Категория').selectOption({ label: 'Код · 5' })
  await expect(page.getByRole('article')).toHaveCount(5)
  await card(page, 'Ревью изменений').getByRole('link').click()
  await expect(title(page, 'Ревью изменений')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('article')).toHaveCount(5)
  await page.getByLabel('Поиск промптов').fill('квазистационарность')
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
})

test('a star and a use are saved; a reload counts nothing (S10.137)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/prompts')
  await page.getByRole('button', { name: 'В избранное: Критик идеи' }).click()
  await page.getByLabel('Какие промпты показать').selectOption('Избранные')
  await expect(page.getByRole('article')).toHaveCount(1)
  const used = page.waitForResponse((answer) => answer.url().endsWith('/use'))
  await card(page, 'Критик идеи').getByRole('button', { name: 'Использовать' }).click()
  await page.getByRole('dialog').getByLabel('Идея').fill('Доставка книг на велосипеде')
  await page.getByRole('dialog').getByRole('button', { name: 'В новый чат' }).click()
  await used
  await page.reload()
  await page.goto('/prompts?view=favourites')
  await expect(card(page, 'Критик идеи')).toContainText('1 раз')
  await page.reload()
  await expect(card(page, 'Критик идеи')).toContainText('1 раз')
})

test('a person writes and changes a prompt, and restores a version (S2.40)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/prompts/add')
  await page.getByLabel('Название').fill('Отчёт для шефа')
  await page.getByRole('button', { name: 'Вставить переменную' }).click()
  await page.getByRole('menuitem', { name: /^Выбор из списка/ }).click()
  await expect(page.getByLabel('Текст', { exact: true })).toBeFocused()
  await page.keyboard.type('срочность')
  await expect(page.getByLabel('Текст', { exact: true })).toHaveValue('{{срочность:выбор=первый|второй}}')
  await page.getByLabel('Текст', { exact: true }).fill('Напиши отчёт о {{тема}}. Тон: {{тон:выбор=один}}')
  await expect(page.getByText('останется обычным текстом')).toBeVisible()
  await page.getByLabel('Текст', { exact: true }).fill('Напиши отчёт о {{тема}}. Тон: {{тон:выбор=сухой|живой}}')
  await page.getByRole('button', { name: 'Сохранить промпт' }).click()
  await expect(title(page, 'Отчёт для шефа')).toBeVisible()
  await expect(page.getByLabel('Тон')).toHaveValue('сухой')

  await page.getByRole('button', { name: 'Изменить' }).click()
  await page.getByLabel('Текст', { exact: true }).fill('Совсем другой текст')
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByRole('region', { name: 'Готовый текст' })).toContainText('Совсем другой текст')
  await action(page, 'История изменений')
  const history = page.getByRole('region', { name: 'История изменений' })
  await history.getByText('Версия 1').click()
  await history.getByRole('button', { name: 'Вернуть' }).click()
  await expect(history.getByText('Версия 3')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Готовый текст' })).toContainText('Напиши отчёт о тема')
})

test('a deleted prompt is brought back by «Отменить»', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await write(page, 'Временный', 'Текст')
  await action(page, 'Удалить')
  await expect(page).toHaveURL(/\/prompts$/)
  await page.getByRole('button', { name: 'Отменить' }).click()
  await page.goto('/prompts?view=own')
  await expect(card(page, 'Временный')).toBeVisible()
})

test('a shared prompt opens for another user until it is withdrawn (S10.132)', async ({
  page,
  browser,
  server,
  email,
}) => {
  await startSession(page, server, email)
  await write(page, 'Секретный рецепт', 'Приготовь {{блюдо}}')
  await action(page, 'Поделиться')
  await page.getByRole('button', { name: 'Создать ссылку' }).click()
  const link = await page.getByLabel('Ссылка на промпт').inputValue()
  const guest = await another(browser, server, `guest-${email}`)
  await guest.goto(link)
  await expect(title(guest, 'Секретный рецепт')).toBeVisible()
  await action(guest, 'Сохранить себе')
  await expect(guest.getByRole('button', { name: 'Изменить' })).toBeVisible()
  await page.getByRole('button', { name: 'Закрыть ссылку' }).click()
  await expect(page.getByRole('button', { name: 'Создать ссылку' })).toBeVisible()
  await guest.goto(link)
  await expect(title(guest, '404')).toBeVisible()
  await guest.context().close()
})

test('500 prompts with 3 bad rows are previewed, imported and reported (S2.40)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  const rows = Array.from({ length: 500 }, (_, i) => `Запись ${i};"Текст ${i}; про {{тема}}";Набор ${i % 9}`)
  rows[9] = ';Без названия;Набор 1'
  rows[99] = 'Без текста;;Набор 1'
  rows[499] = 'Запись 5;Ещё раз;Набор 5'
  const text = ['Название;Текст;Категория', ...rows].join('\r\n')
  await page.goto('/promptcms')
  await page.getByRole('button', { name: 'Импорт' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('Файл с промптами')
    .setInputFiles({ name: 'набор.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog.getByRole('heading', { name: 'Что изменится' })).toBeVisible()
  await dialog.getByText('Ошибки 3').click()
  await expect(dialog.getByRole('row', { name: /11.*Нет названия/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /101.*Нет текста/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /501.*Повторяет строку 7/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Импортировать 497 промптов' }).click()
  await expect(dialog.getByText('Добавлено 497, изменено 0, без изменений 0, с ошибками 3.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Готово' }).click()
  await expect(page.getByText('1–50 из 497')).toBeVisible()

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Экспорт' })
      .click()
      .then(() => page.getByRole('menuitem', { name: /^CSV/ }).click()),
  ])
  await page.getByRole('button', { name: 'Импорт' }).click()
  await dialog
    .getByLabel('Файл с промптами')
    .setInputFiles({ name: 'back.csv', mimeType: 'text/csv', buffer: readFileSync(await file.path()) })
  await expect(dialog.getByText('Без изменений 497')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Менять нечего' })).toBeDisabled()
})

test('the owner publishes several prompts, undoes it and reorders them (S2.40, S10.142)', async ({
  page,
  browser,
  server,
  email,
}) => {
  await asOwner(page, server)
  await page.goto('/')
  for (const name of ['Альфа', 'Бета', 'Гамма']) await write(page, name, 'Текст', `Порядок ${email}`)
  await page.goto('/promptcms?state=private')
  await page.getByLabel('Категория').selectOption(`Порядок ${email}`)
  const names = page.getByRole('row').getByRole('link')
  await expect(names).toHaveText(['Гамма', 'Бета', 'Альфа'])

  await page.getByRole('button', { name: /Переместить: Альфа/ }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(names).toHaveText(['Гамма', 'Альфа', 'Бета'])
  await page.keyboard.press('ArrowUp')
  await expect(names).toHaveText(['Альфа', 'Гамма', 'Бета'])
  await page.getByRole('button', { name: /Переместить: Бета/ }).hover()
  await page.mouse.down()
  const first = await page.getByRole('row', { name: /Альфа/ }).boundingBox()
  await page.mouse.move(first ? first.x + 60 : 0, first ? first.y + 4 : 0, { steps: 5 })
  await nextFrame(page)
  await page.mouse.up()
  await expect(names).toHaveText(['Бета', 'Альфа', 'Гамма'])
  await page.reload()
  await expect(names).toHaveText(['Бета', 'Альфа', 'Гамма'])

  await page.getByLabel('Выбрать все строки').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Опубликовать' }).click()
  await expect(page.getByText('Опубликовано 3 промпта')).toBeVisible()
  await expect(names).toHaveCount(0)
  const reader = await another(browser, server, email)
  await reader.goto(`/prompts?category=${encodeURIComponent(`Порядок ${email}`)}`)
  await expect(reader.getByRole('article').getByRole('heading')).toHaveText(['Бета', 'Альфа', 'Гамма'])
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(names).toHaveText(['Бета', 'Альфа', 'Гамма'])
  await reader.reload()
  await expect(reader.getByText('Ничего не нашлось')).toBeVisible()
  await reader.context().close()
})

test('a user’s catalogue has only their prompts and no publishing', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await write(page, 'Только мой', 'Текст')
  await page.goto('/promptcms')
  await expect(page.getByRole('row').getByRole('link')).toHaveText(['Только мой'])
  await page.getByLabel('Выбрать: Только мой').check()
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Удалить' })).toBeVisible()
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Опубликовать' })).toHaveCount(0)
  await page.getByRole('toolbar').getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Промптов пока нет')).toBeVisible()
  await closeNotice(page, 'Удалён 1 промпт')
  await page.getByText('Корзина').click()
  await page.getByRole('button', { name: 'Действия: Только мой' }).click()
  await page.getByRole('menuitem', { name: 'Вернуть из корзины' }).click()
  await expect(page.getByText('Корзина пуста')).toBeVisible()
})

test('at 360 px no part of prompts overflows', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await asOwner(page, server)
  for (const path of ['/prompts', '/prompts?query=письмо', '/prompts/add', '/promptcms', '/promptcms?state=trash']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectNoOverflow(page, path)
  }
})
