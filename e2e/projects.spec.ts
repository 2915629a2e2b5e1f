import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { expect, startSession, test } from './steps.ts'
import { createThreads } from './thread-steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** Projects: from nothing to a cited answer, and chats moved on a phone. */

const walls = {
  name: 'стены.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('# Замеры\n\nПлощадь стен в спальне составляет 48 квадратных метров без окон.'),
}

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

test('a project goes from nothing to a cited answer (S10.867)', async ({ page }) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Новый проект' }).click()
  await page.getByLabel('Название').fill('Ремонт')
  await page.getByRole('button', { name: '🏠' }).click()
  await page.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByRole('heading', { name: 'Ремонт', level: 1 })).toBeVisible()

  await page.getByRole('tab', { name: 'Инструкции' }).click()
  await page.getByLabel('Что учитывать в ответах').fill('Размеры называй в метрах.')
  await page.getByLabel('С какой моделью начинаются чаты').selectOption({ label: 'Демо' })
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Проект сохранён')).toBeVisible()
  await page.getByRole('tab', { name: 'Файлы' }).click()
  await page.locator('input[type=file][multiple]').setInputFiles([walls])
  await expect(page.getByText(/^Готов · /)).toBeVisible()

  await page.getByRole('button', { name: 'Новый чат здесь' }).click()
  await expect(page).toHaveURL(/\/threads\//)
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Какая площадь стен в спальне?')
  await expect(page.getByText(/≈.*останется/)).toBeVisible()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  const answer = page.getByRole('log', { name: 'Сообщения чата' }).getByRole('article').last()
  await answer.getByRole('button', { name: 'Источник 1: стены.txt' }).click()
  await expect(page.getByRole('dialog')).toContainText('48 квадратных метров')
  await page.keyboard.press('Escape')
  await answer.getByTitle('Из чего сложилась цена').click()
  await expect(page.getByText('Инструкции проекта')).toBeVisible()
  await expect(page.getByText('Выдержки из файлов проекта')).toBeVisible()

  await page.goto('/projects')
  await page
    .getByRole('list', { name: 'Проекты', exact: true })
    .last()
    .getByRole('link', { name: /Ремонт/ })
    .click()
  await page.getByRole('tab', { name: 'Расход' }).click()
  await expect(page.getByRole('columnheader', { name: 'Всего' })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await expectGoodVisuals(page, '/projects', `/projects/${id}`)
})

test('chats move into a project on a phone, one and several (S10.868)', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await createThreads(page, 'Обои', 'Плитка', 'Отпуск')
  await page.goto('/threads')
  const row = (title: string) =>
    page.getByRole('list', { name: 'Список чатов' }).getByRole('listitem').filter({ hasText: title })
  await row('Обои')
    .getByRole('button', { name: /Меню чата/ })
    .click()
  await page.getByRole('menuitem', { name: 'В проект…' }).click()
  await page.getByRole('button', { name: 'Новый проект' }).click()
  await page.getByLabel('Название').fill('Ремонт')
  await page.getByRole('button', { name: 'Создать' }).click()
  await expect(page.getByText('Чат теперь в проекте «Ремонт»')).toBeVisible()

  await page.getByLabel('Выбрать «Плитка»').check()
  await page.getByRole('button', { name: 'В проект', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ремонт' }).click()
  await expect(page.getByText('Чат теперь в проекте «Ремонт»').last()).toBeVisible()

  await page.goto('/projects')
  await page.getByRole('link', { name: /Ремонт/ }).click()
  const inside = page.getByRole('list', { name: 'Список чатов' }).getByRole('listitem')
  await expect(inside).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Поиск по чатам проекта' }).fill('плитка')
  await expect(inside).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Поиск по чатам проекта' }).fill('')

  await page.getByRole('button', { name: 'Действия: Ремонт' }).click()
  await page.getByRole('menuitem', { name: 'Удалить проект' }).click()
  await page.getByRole('button', { name: 'Оставить чаты' }).click()
  await expect(page.getByText('Проектов пока нет')).toBeVisible()
  await page.goto('/threads')
  await expect(page.getByRole('list', { name: 'Список чатов' }).getByRole('listitem')).toHaveCount(3)
})

test('a project is found by Ctrl+K, left by a drag and downloaded (S10.817)', async ({ page }) => {
  const made = await page.request.post('/api/projects', { data: { name: 'Ремонт', instructions: 'В метрах' } })
  const { id } = (await made.json()) as { id: string }
  for (const data of [{ title: 'Отпуск' }, { title: 'Обои', projectId: id }, { title: 'Плитка', projectId: id }])
    expect((await page.request.post('/api/threads', { data })).ok()).toBe(true)
  await page.goto('/threads')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('ремонт')
  await page.getByRole('option', { name: /^Ремонт/ }).click()
  await expect(page).toHaveURL(`/projects/${id}`)

  const panel = page.getByRole('navigation', { name: 'Чаты' })
  await panel.getByRole('button', { name: 'Чаты проекта «Ремонт»' }).click()
  await panel.getByRole('link', { name: 'Обои' }).dragTo(panel.getByRole('link', { name: 'Отпуск' }))
  await expect(page.getByText('Чат теперь без проекта')).toBeVisible()
  const inside = page.getByRole('list', { name: 'Список чатов' }).getByRole('listitem')
  await expect(inside).toHaveCount(1)
  await expect(inside).toContainText('Плитка')

  await page.getByRole('button', { name: 'Действия: Ремонт' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Скачать архивом' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('Ремонт.zip')
  const entries = unzipSync(await readFile(await file.path()))
  const { projects, threads } = JSON.parse(strFromU8(entries['project.json'] ?? new Uint8Array()))
  expect(projects).toMatchObject([{ name: 'Ремонт', instructions: 'В метрах' }])
  expect(threads.map(({ title }: { title: string }) => title)).toEqual(['Плитка'])
})
