import type { Page } from '@playwright/test'
import { expect, startSession, test } from './steps.ts'

/** Assistants over files. The demo model quotes what it is given, so an answer can be followed to its source. */

const LEASE =
  '# Договор аренды\n\nАрендная плата составляет 40 000 рублей в месяц и вносится до пятого числа.\n\nСрок аренды один год.'
const lease = { name: 'договор.txt', mimeType: 'text/plain', buffer: Buffer.from(LEASE) }

const field = (page: Page) => page.getByRole('textbox', { name: 'Сообщение' })
const lastAnswer = (page: Page) => page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
const card = (page: Page, name: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name, exact: true }) })

async function create(page: Page, name: string, files: (typeof lease)[] = []) {
  await page.goto('/assistants/create')
  await page.getByLabel('Название').fill(name)
  await page.getByLabel('Описание').fill('Знает договор')
  await page.getByLabel('Модель').selectOption({ label: 'Демо' })
  await page.getByLabel('Инструкции').fill('Отвечай по договору.')
  await page.getByRole('button', { name: 'Добавить вопрос' }).click()
  await page.getByRole('textbox', { name: 'Вопрос 1', exact: true }).fill('Сколько платить за аренду?')
  if (files.length > 0) await page.locator('input[type=file][multiple]').setInputFiles(files)
  await page.getByRole('button', { name: 'Создать ассистента' }).click()
  await expect(page).toHaveURL(/\/assistants$/)
  await expect(card(page, name)).toBeVisible()
}

async function send(page: Page) {
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
}

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('an assistant answers from its file, and the citation opens the place (S1.17, S2.73)', async ({ page }) => {
  await page.goto('/assistants')
  await expect(page.getByRole('heading', { name: 'Начните с готового' })).toBeVisible()
  await create(page, 'Юрист', [lease])
  await page.getByRole('link', { name: 'Юрист', exact: true }).click()
  await expect(page.getByText(/^Готов · /)).toBeVisible()

  await page.getByRole('link', { name: 'Начать чат' }).click()
  await expect(page.getByRole('heading', { name: 'Юрист' })).toBeVisible()
  await expect(page.getByText(/К вопросу добавится до .*\sсимвол(а|ов): инструкции и выдержки из файлов/)).toBeVisible()
  await page.getByRole('button', { name: 'Сколько платить за аренду?' }).first().click()
  await expect(field(page)).toHaveValue('Сколько платить за аренду?')
  await send(page)
  await expect(page).toHaveURL(/\/threads\//)
  await expect(page.getByRole('link', { name: 'Юрист' })).toBeVisible()
  await expect(lastAnswer(page)).toContainText('В файлах нашлось')
  await lastAnswer(page).getByRole('button', { name: 'Источник 1: договор.txt' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'договор.txt' })).toBeVisible()
  await expect(dialog).toContainText('40 000 рублей в месяц')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(lastAnswer(page).getByText('Источники:')).toBeVisible()
  await lastAnswer(page).getByTitle('Из чего сложилась цена').click()
  await expect(page.getByText('Инструкции ассистента')).toBeVisible()
  await expect(page.getByText('Выдержки из файлов ассистента')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(lastAnswer(page).getByRole('button', { name: 'Источник 1: договор.txt' })).toBeVisible()
})

test('unsaved changes of an assistant are asked about; saving opens the list (S2.40, S2.73)', async ({ page }) => {
  await create(page, 'Повар')
  await page.getByRole('link', { name: 'Повар', exact: true }).click()
  await page.getByLabel('Название').fill('Шеф')
  await page.getByRole('button', { name: 'Добавить вопрос' }).click()
  await page.getByRole('textbox', { name: 'Вопрос 2', exact: true }).fill('Что на ужин?')
  await page.getByRole('button', { name: 'Поднять вопрос 2' }).click()
  await expect(page.getByRole('textbox', { name: 'Вопрос 1', exact: true })).toHaveValue('Что на ужин?')
  await page.getByRole('button', { name: 'Сменить значок' }).click()
  await page.getByRole('button', { name: 'Значок 🍳' }).click()
  await page.getByRole('link', { name: 'Промпты' }).click()
  await page.getByRole('button', { name: 'Остаться' }).click()
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await expect(page).toHaveURL(/\/assistants$/)
  await expect(card(page, 'Шеф')).toContainText('🍳')
})

test('unsaved changes of an assistant can be tried with saved files', async ({ page }) => {
  await create(page, 'Юрист', [lease])
  await page.getByRole('link', { name: 'Юрист', exact: true }).click()
  await expect(page.getByText(/^Готов · /)).toBeVisible()
  await page.getByLabel('Инструкции').fill('Совсем другие правила')
  const trial = page.getByRole('region', { name: 'Проба ассистента' })
  await trial.getByLabel('Вопрос для пробы').fill('Сколько платить за аренду?')
  await page.keyboard.press('Enter')
  await expect(trial).toContainText('40 000 рублей')
  await expect(trial).toContainText(/Списано .* инструкции 21 и выдержки из файлов/)
  await trial.getByRole('button', { name: 'Источник 1: договор.txt' }).click()
  await expect(page.getByRole('dialog')).toContainText('40 000 рублей')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Отменить изменения' }).click()
  await page.goto('/threads')
  await expect(page.getByText('Сколько платить за аренду?')).toBeHidden()
})

test('«@» and the palette find an assistant and begin a chat', async ({ page }) => {
  await create(page, 'Юрист')
  await page.goto('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('@юр')
  await expect(page.getByRole('option', { name: /Юрист/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?assistant=/)
  await expect(page.getByRole('heading', { name: 'Юрист' })).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('юрис')
  await expect(page.getByRole('option', { name: /Юрист Начать чат/ })).toBeVisible()
})

test('deleting an assistant can be undone, and its chat goes on', async ({ page }) => {
  await create(page, 'Юрист', [lease])
  await card(page, 'Юрист').getByRole('link', { name: 'Начать чат' }).click()
  await field(page).fill('Привет')
  await send(page)
  await expect(lastAnswer(page)).toContainText('демонстрационная модель')
  const thread = page.url()
  const remove = async () => {
    await page.goto('/assistants')
    await card(page, 'Юрист')
      .getByRole('button', { name: /Действия/ })
      .click()
    await page.getByRole('menuitem', { name: 'Удалить' }).click()
    await expect(card(page, 'Юрист')).toBeHidden()
  }
  await remove()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(card(page, 'Юрист')).toBeVisible()
  await remove()
  await page.goto(thread)
  await expect(page.getByText('Ассистент удалён')).toBeVisible()
  await expect(lastAnswer(page)).toContainText('демонстрационная модель')
  await field(page).fill('Ещё вопрос')
  await send(page)
  await expect(lastAnswer(page)).toContainText('Вы написали: «Ещё вопрос»')
})

test('an unreadable file says why, and can be retried or removed', async ({ page }) => {
  await create(page, 'Юрист')
  await page.getByRole('link', { name: 'Юрист', exact: true }).click()
  const input = page.locator('input[type=file][multiple]')
  await input.setInputFiles([
    { name: 'пустой.html', mimeType: 'text/html', buffer: Buffer.from('<html></html>') },
    lease,
  ])
  const list = page.getByRole('list', { name: 'Файлы ассистента' })
  await expect(list.getByText(/^Готов · /)).toBeVisible()
  await list.getByRole('button', { name: 'Повторить: пустой.html' }).click()
  await expect(list.getByRole('button', { name: 'Повторить: пустой.html' })).toBeVisible()
  await list.getByRole('button', { name: 'Убрать: договор.txt' }).click()
  await expect(list.getByText('договор.txt')).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(list.getByText('договор.txt')).toBeVisible()
})

test('on a phone form and try-out take turns, and assistants are copied', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await create(page, 'Юрист')
  await card(page, 'Юрист')
    .getByRole('button', { name: /Действия/ })
    .click()
  await page.getByRole('menuitem', { name: 'Сделать копию' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Юрист (копия)')
  const trial = page.getByRole('region', { name: 'Проба ассистента' })
  await expect(trial).toBeHidden()
  await page.getByText('Попробовать', { exact: true }).first().click()
  await expect(trial).toBeVisible()
  await expect(page.getByLabel('Название')).toBeHidden()
  await trial.getByRole('button', { name: 'Сколько платить за аренду?' }).click()
  await expect(trial).toContainText('демонстрационная модель')
  await page.getByText('Настройки', { exact: true }).click()
  await page.getByRole('button', { name: 'Создать ассистента' }).click()
  await expect(card(page, 'Юрист (копия)')).toBeVisible()
})
