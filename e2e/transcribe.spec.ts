import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { TRANSCRIPT } from './model.ts'
import { wav } from './sound.ts'
import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** Recordings become text. What the scripted model transcribes is in e2e/model.ts. */

const input = (page: Page) => page.getByLabel('Файл с записью')
const card = (page: Page, name: string) => page.getByRole('listitem', { name })
const list = (page: Page) => page.getByRole('list', { name: 'Записи' })
const line = (page: Page, time: string) => page.getByRole('textbox', { name: `Текст с ${time}` })

async function choose(page: Page, name: string, seconds = 3, rate = 8000) {
  await input(page).setInputFiles({ name, mimeType: 'audio/wav', buffer: wav(seconds, rate) })
}

async function transcribe(page: Page, name: string) {
  await choose(page, name)
  await card(page, name).getByRole('button', { name: 'Расшифровать' }).click()
  await expect(list(page).getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
}

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('a file becomes text that is priced, corrected, saved and asked about (S1.17)', async ({ page, server }) => {
  await page.goto('/transcribe')
  await expect(page.getByText('Здесь появятся ваши записи')).toBeVisible()
  await choose(page, 'Планёрка.wav')
  await expect(card(page, 'Планёрка.wav')).toContainText(/0:03/)
  await expect(card(page, 'Планёрка.wav')).toContainText(/30\sсимволов, останется 19\s970\sсимволов/)
  await card(page, 'Планёрка.wav').getByRole('button', { name: 'Расшифровать' }).click()
  await expect(list(page)).toContainText(/0:03 · 30\sсимволов/)
  await list(page).getByRole('link', { name: 'Планёрка', exact: true }).click()
  await expect(page).toHaveURL(/\/transcribe\?id=/)
  await expect(line(page, '0:01')).toHaveText(TRANSCRIPT[1] ?? '')

  await page.getByRole('button', { name: 'Слушать с 0:02' }).click()
  await expect(page.getByRole('slider', { name: 'Место в записи' })).toHaveValue(/^[23]/)
  await expect(page.getByRole('listitem').filter({ hasText: TRANSCRIPT[2] ?? '' })).toHaveAttribute(
    'aria-current',
    'true',
  )

  await line(page, '0:01').fill('Сегодня обсуждаем договор поставки.')
  await expect(page.getByText('Исправления сохранены')).toBeVisible()
  await page.reload()
  await expect(line(page, '0:01')).toHaveText('Сегодня обсуждаем договор поставки.')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Скачать' }).click()
  await page.getByRole('menuitem', { name: 'SRT' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('Планёрка.srt')
  expect(readFileSync(await file.path(), 'utf8')).toContain(
    '00:00:01,000 --> 00:00:02,000\r\nСегодня обсуждаем договор поставки.',
  )

  await page.getByRole('button', { name: 'Ещё', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Вернуть исходный текст' }).click()
  await expect(line(page, '0:01')).toHaveText(TRANSCRIPT[1] ?? '')
  await page.getByRole('button', { name: 'Переименовать' }).click()
  await page.getByRole('textbox', { name: 'Название записи' }).fill('Встреча')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Встреча' })).toBeVisible()

  await page.getByRole('button', { name: 'Спросить по записи' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('list', { name: 'Приложенные файлы' })).toContainText('Встреча.txt')
  await expect(page.getByRole('textbox', { name: 'Сообщение' })).toBeFocused()
})

test('recordings are found by their words, and deleting can be undone', async ({ page }) => {
  await page.goto('/transcribe')
  await transcribe(page, 'Первая.wav')
  await page.getByRole('searchbox', { name: 'Поиск по записям' }).fill('договоры')
  await expect(list(page).getByText('договор', { exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Поиск по записям' }).fill('велосипед')
  await expect(page.getByText('Ничего не нашлось')).toBeVisible()
  await page.goto('/transcribe')
  await page.getByRole('button', { name: 'Удалить «Первая»' }).click()
  await expect(list(page)).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  await expect(list(page).getByRole('link', { name: 'Первая', exact: true })).toBeVisible()
})

test('a failed recording says why, is free and can be retried', async ({ page }) => {
  await page.goto('/transcribe')
  await page.getByLabel('Язык записи').selectOption('Итальянский')
  await choose(page, 'Опера.wav')
  await card(page, 'Опера.wav').getByRole('button', { name: 'Расшифровать' }).click()
  await list(page).getByRole('link', { name: 'Опера' }).click()
  await expect(page.getByRole('alert')).toContainText('Модель не смогла прочитать запись')
  await expect(page.getByRole('alert')).toContainText('Символы не списаны')
  await page.getByRole('button', { name: 'Повторить' }).click()
  await expect(line(page, '0:00')).toHaveText(TRANSCRIPT[0] ?? '')
})

test('long work can be left or stopped; its sent part is paid', async ({ page }) => {
  await page.goto('/transcribe')
  await page.getByLabel('Язык записи').selectOption('Немецкий')
  await choose(page, 'Долгая.wav')
  await card(page, 'Долгая.wav').getByRole('button', { name: 'Расшифровать' }).click()
  await list(page).getByRole('link', { name: 'Долгая' }).click()
  await expect(page.getByText('Расшифровывается…')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Остановить' }).first().click()
  await expect(page.getByText('Расшифровка остановлена')).toBeVisible()
  await expect(page.getByText(/Списано .* за минуты, которые уже были у модели/)).toBeVisible()
})

test('an upload broken by a reload continues where it was', async ({ page }) => {
  await page.goto('/transcribe')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(new URL(request.url()).searchParams.get('offset') ?? '')
  })
  let isHeld = true
  await page.route('**/uploads/*?offset=*', async (route) => {
    if (isHeld && !route.request().url().endsWith('offset=0')) return
    await route.continue()
  })
  await choose(page, 'Лекция.wav', 50, 96_000)
  await card(page, 'Лекция.wav').getByRole('button', { name: 'Расшифровать' }).click()
  await expect(card(page, 'Лекция.wav').getByRole('status')).toContainText(/Загружается: 4\d\s%/)
  // The next part is sent once the server has stored the first.
  await expect.poll(() => sent.length).toBe(2)
  isHeld = false
  await page.reload()
  await expect(list(page).getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
  expect(sent.filter((offset) => offset === '0')).toHaveLength(1)
  await expect(card(page, 'Лекция.wav')).toBeHidden()
})

test('a network that returns only delays an upload', async ({ page, context }) => {
  await page.goto('/transcribe')
  await choose(page, 'Связь.wav')
  await context.setOffline(true)
  await card(page, 'Связь.wav').getByRole('button', { name: 'Расшифровать' }).click()
  await expect(card(page, 'Связь.wav').getByRole('status')).toContainText('Нет связи')
  await context.setOffline(false)
  await expect(list(page).getByText(TRANSCRIPT[0] ?? '')).toBeVisible()
})

test('a refused microphone is explained, and the rest stays usable', async ({ page }) => {
  await page.goto('/')
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await page.goto('/transcribe')
  await page.getByRole('button', { name: 'Записать голос' }).click()
  await expect(page.getByText('Браузер не пускает к микрофону')).toBeVisible()
  await transcribe(page, 'Файл.wav')
})

test('the screen looks right at both widths and in both themes (S2.40)', async ({ page }) => {
  await page.goto('/transcribe')
  await transcribe(page, 'Очень длинное название записи, которое не помещается в одну строку никак.wav')
  await choose(page, 'Вторая.wav')
  const [href] = await list(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await expectGoodVisuals(page, '/transcribe', href ?? '')
})
