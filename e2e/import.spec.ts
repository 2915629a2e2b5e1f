import { strToU8, zipSync } from 'fflate'
import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** Chats of another service: the archive, the report and the undo. */

test.beforeEach(({ page, server, email }) => startSession(page, server, email))

function gptChat(id: string, question: string, answer: string) {
  const message = (role: string, text: string) => ({
    ...{ author: { role }, create_time: 1_700_000_000, recipient: 'all', metadata: { model_slug: 'gpt-4o' } },
    content: { content_type: 'text', parts: [text] },
  })
  const mapping = {
    q: { id: 'q', parent: null, children: ['a'], message: message('user', question) },
    a: { id: 'a', parent: 'q', children: [], message: message('assistant', answer) },
  }
  return { id, conversation_id: id, title: `Чат про ${id}`, create_time: 1_700_000_000, mapping, current_node: 'a' }
}

const archive = () => {
  const chats = [gptChat('борщ', 'Как варить борщ?', 'Со свёклой'), { title: 'Пустой чат', mapping: {} }]
  return Buffer.from(zipSync({ 'conversations-000.json': strToU8(JSON.stringify(chats)) }))
}

for (const width of [1280, 360])
  test(`an archive is brought, reported and undone at ${width} px (S10.887, S10.889, S10.891)`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/threads')
    await page.getByRole('link', { name: 'Перенести чаты' }).click()
    await page
      .getByLabel('Архив с чатами')
      .setInputFiles({ name: 'chatgpt.zip', mimeType: 'application/zip', buffer: archive() })
    await expect(page.getByRole('heading', { name: 'Найдено: 1 чат' })).toBeVisible()
    await expect(page.getByText('Повреждены, пусты или слишком велики: 1 чат.')).toBeVisible()
    await expectGoodVisuals(page)
    await page.getByRole('button', { name: 'Перенести', exact: true }).click()
    await expect(page.getByText('Перенесено: 1 чат; 2 сообщения.')).toBeVisible()
    await page.getByRole('button', { name: 'Что и почему' }).click()
    await expect(page.getByText('Пустой чат')).toBeVisible()
    await expectGoodVisuals(page)

    await page.getByRole('link', { name: 'К чатам' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Чат про борщ' }).click()
    await expect(page.getByText('Со свёклой')).toBeVisible()
    await expect(page.getByText('gpt-4o, из ChatGPT')).toBeVisible()

    await page.goto('/imports')
    await page.getByRole('button', { name: 'Отменить перенос' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Отменить перенос' }).click()
    await expect(page.getByText('Удалено: 1 чат.')).toBeVisible()
    await expectGoodVisuals(page, '/imports')
    await page.goto('/threads')
    await expect(page.getByRole('link', { name: 'Чат про борщ' })).toHaveCount(0)
  })

/** The later one has a second text. */
const claudeArchive = (...docs: string[]) => {
  const message = (uuid: string, sender: string, text: string) => ({ uuid, sender, text, content: [] })
  const chats = [
    {
      ...{ uuid: 'claude-chat', name: 'Письмо', created_at: '2025-02-01T10:00:00Z', project_uuid: 'claude-project' },
      chat_messages: [message('m1', 'human', 'Напиши письмо'), message('m2', 'assistant', 'Добрый день!')],
    },
  ]
  const project = { uuid: 'claude-project', name: 'Закупки', prompt_template: 'Коротко' }
  const texts = docs.map((filename) => ({ filename, content: `Текст файла ${filename}` }))
  const buffer = Buffer.from(
    zipSync({
      'conversations.json': strToU8(JSON.stringify(chats)),
      'projects.json': strToU8(JSON.stringify([{ ...project, docs: texts }])),
    }),
  )
  return { name: 'claude.zip', mimeType: 'application/zip', buffer }
}

test('an archive of Claude brings a project, later its new files (S10.816, S10.817)', async ({ page }) => {
  await page.goto('/imports')
  const cards = page.getByRole('region', { name: 'Ваши переносы' })
  const bring = async (...docs: string[]) => {
    await page.getByLabel('Архив с чатами').setInputFiles(claudeArchive(...docs))
    await page.getByRole('button', { name: 'Перенести', exact: true }).click()
  }
  await bring('правила.md')
  await expect(cards.getByText('Перенесено: 1 проект, 1 чат; 2 сообщения.')).toBeVisible()
  await bring('правила.md', 'цены.md')
  await expect(cards.getByText('Перенесено: 1 файл в прежние проекты.')).toBeVisible()

  await cards.getByRole('link', { name: 'К проектам' }).first().click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /Закупки/ })
    .click()
  await expect(page.getByRole('list', { name: 'Список чатов' })).toContainText('Письмо')
  await page.getByRole('tab', { name: 'Файлы' }).click()
  await expect(page.getByText('правила.md')).toBeVisible()
  await expect(page.getByText('цены.md')).toBeVisible()

  await page.goto('/imports')
  for (const line of ['Удалено: 1 файл из проектов.', 'Удалено: 1 чат, 1 проект.']) {
    await page.getByRole('button', { name: 'Отменить перенос' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Отменить перенос' }).click()
    await expect(cards.getByText(line)).toBeVisible()
  }
  await page.goto('/projects')
  await expect(page.getByText('Проектов пока нет')).toBeVisible()
})
