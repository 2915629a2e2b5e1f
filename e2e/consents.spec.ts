import { asOwner } from './admin.ts'
import { startServer, type TestServer } from './server.ts'
import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

/** On a server of its own: once documents are published, everybody on it is asked to agree. */
let ownServer: TestServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  ownServer = await startServer()
})
test.afterAll(() => ownServer.stop())

test('a message waits for consents to published documents, then reaches the model (S10.208)', async ({
  browser,
  email,
}) => {
  const owner = await browser.newPage({ baseURL: ownServer.url })
  await asOwner(owner, ownServer)
  for (const [kind, text] of [
    ['offer', '## Предмет\n\nИсполнитель даёт доступ к чату.'],
    ['personal-data', 'Даю согласие ООО «Ромашка».'],
  ] as const) {
    await owner.goto(`/admin/documents/${kind}`)
    await owner.getByRole('textbox', { name: 'Текст в разметке Markdown' }).fill(text)
    await owner.getByRole('button', { name: 'Опубликовать новую версию' }).click()
    await owner.getByRole('button', { name: 'Опубликовать', exact: true }).click()
    await expect(owner.getByRole('link', { name: 'Версия 1' })).toBeVisible()
  }
  await owner.close()

  const stranger = await browser.newPage({ baseURL: ownServer.url })
  await stranger.goto('/auth/signin')
  const opening = stranger.waitForEvent('popup')
  await stranger.getByRole('link', { name: 'оферты' }).click()
  const offer = await opening
  await expect(offer).toHaveURL('/legal/offer')
  await expect(offer.getByRole('heading', { name: 'Предмет' })).toBeVisible()
  await expectGoodVisuals(offer, '/legal/offer')
  await stranger.close()

  const page = await browser.newPage({
    baseURL: ownServer.url,
    extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.40' },
  })
  await startSession(page, ownServer, email)
  await page.goto('/')
  await page.getByRole('button', { name: 'Не сейчас' }).click()
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Привет')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  for (const box of await boxes.all()) {
    await expect(box).not.toBeChecked()
    await box.check()
  }
  await page.getByRole('button', { name: 'Принять и отправить' }).click()
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
  await page.close()
})
