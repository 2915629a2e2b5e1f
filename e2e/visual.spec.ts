import { expect, signIn, startSession, test } from './steps.ts'
import { ask, createThreads } from './thread-steps.ts'
import { expectGoodVisuals, violations } from './visual-check.ts'

/** Every screen at both widths and in both themes: nothing sticks out, nothing a screen reader trips over. */

// These long tests run last, so they are spread over all workers.
test.describe.configure({ timeout: 180_000, mode: 'parallel' })

test('sign-in and the error pages look right', async ({ page }) => {
  await expectGoodVisuals(
    page,
    '/auth/signin',
    '/auth/signin?mode=password',
    '/auth/signin?mode=sign-up',
    '/auth/signin?error=INVALID_TOKEN',
    '/auth/second-factor',
    '/auth/email-sended?email=a@b.ru',
    '/error?error=x',
  )
})

test('the frame, the profile and an unknown route look right (S2.40)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await expectGoodVisuals(
    page,
    '/',
    '/profile',
    '/profile/operations',
    '/profile/settings',
    '/profile/account',
    '/no/such/place',
  )
})

test('empty chats, prompts and help look right', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await expectGoodVisuals(page, '/threads', '/prompts', '/prompts/add', '/promptcms', '/help', '/help/money/why')
})

test('empty assistants look right', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await expectGoodVisuals(
    page,
    '/assistants',
    '/assistants/create?example=documents',
    '/assistants/no-such/edit',
    '/?assistant=no-such',
  )
})

test('an assistant with a file looks right everywhere (S2.40)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  const id = await page.evaluate(async () => {
    const draft = { name: 'Юрист', description: 'Знает договор', modelId: 'demo', starters: ['Сколько платить?'] }
    const headers = { 'content-type': 'application/json' }
    const made = await fetch('/api/assistants', { method: 'POST', headers, body: JSON.stringify(draft) })
    const assistant = (await made.json()) as { id: string }
    const form = new FormData()
    form.set('file', new File(['Плата 40 000 рублей в месяц.'], 'договор с очень длинным названием файла.txt'))
    await fetch(`/api/assistants/${assistant.id}/files`, { method: 'POST', body: form })
    return assistant.id
  })
  await expectGoodVisuals(page, '/assistants', `/assistants/${id}/edit`, `/?assistant=${id}`)
  await page.getByRole('button', { name: 'Сколько платить?' }).first().click()
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page.getByRole('button', { name: /Источник 1/ })).toBeVisible()
  await expect(page.getByText('Источники:')).toBeVisible()
  await expectGoodVisuals(page, new URL(page.url()).pathname)
  await page.getByRole('button', { name: /Источник 1/ }).click()
  await expect(page.getByRole('dialog')).toContainText('40 000 рублей')
  expect(await violations(page), 'the place behind a citation').toEqual([])
})

test('a chat, its shared link and a prompt look right (S10.241)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  const headers = { origin: server.url }
  const [id] = await createThreads(page, 'Поездка')
  await ask(page, id, 'Составь таблицу на три дня')
  const shared = await page.request.post(`/api/threads/${id}/share`, { headers })
  const { shareId } = (await shared.json()) as { shareId: string }
  const data = { title: 'Письмо', content: 'Напиши письмо {{кому}} о {{тема:текст}}', category: 'Работа' }
  const made = await page.request.post('/api/prompts', { headers, data })
  const prompt = (await made.json()) as { id: string }
  await expectGoodVisuals(page, `/threads/${id}`, `/shared/${shareId}`, `/prompts/${prompt.id}`)
})

test('images look right when empty, ready, failed and enlarged (S2.40)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await expectGoodVisuals(page, '/images')
  const draw = async (prompt: string, size: string) => {
    const data = { prompt, modelId: 'brush', size }
    const made = await page.request.post('/api/images', { data, headers: { origin: server.url } })
    return ((await made.json()) as { id: string }[])[0]?.id
  }
  const [id] = [await draw('Широкая', '1536x1024'), await draw('Высокая', '1024x1536'), await draw('запрещено', 'auto')]
  const states = async () =>
    ((await (await page.request.get('/api/images')).json()) as { status: string }[]).map(({ status }) => status).sort()
  await expect.poll(states).toEqual(['failed', 'ready', 'ready'])
  await expectGoodVisuals(page, '/images')
  await expectGoodVisuals(page, `/images?image=${id}`)
})

test('sign-in and the profile can be reached by keyboard alone', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await page.goto('/')
  const menu = page.getByRole('button', { name: /Меню пользователя/ })
  await expect(menu).toBeVisible()
  // The message field has the focus; the rest of the page precedes it, so the focus is moved to the start.
  await expect(page.getByRole('textbox', { name: 'Сообщение' })).toBeFocused()
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'К содержанию' })).toBeFocused()
  for (let i = 0; i < 30 && !(await menu.evaluate((element) => element === document.activeElement)); i++) {
    await page.keyboard.press('Tab')
  }
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Профиль' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Профиль' }).press('Enter')
  await expect(page).toHaveURL(`${server.url}/profile`)
})

test('on a phone the panel is a drawer that opens and closes', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 720 })
  await signIn(page, server, email)
  await page.getByRole('button', { name: /меню/i }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Помощь' }).click()
  await expect(page).toHaveURL(`${server.url}/help`)
  await expect(drawer).toBeHidden()
})
