import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { TestServer } from './server.ts'
import { expect, linkIn, signIn, startSession, test } from './steps.ts'

/** What an authenticator app shows, RFC 6238. The next code is accepted too, and does not run out meanwhile. */
function codeOf(key: string, ahead: 0 | 1 = 1): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...key].map((mail) => alphabet.indexOf(mail).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead))
  const digest = createHmac('sha1', bytes).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const LINK = /^Вход в «/

/** Follows a sign-in link and stops at the second step. */
async function takeFirstStep(page: Page, server: TestServer, email: string): Promise<void> {
  // A message about a new sign-in may come in between.
  const links = async () => (await server.emails(email)).filter(({ subject }) => LINK.test(subject)).length
  const before = await links()
  await page.goto('/auth/signin')
  await page.getByLabel('Электронная почта').fill(email)
  await page.getByRole('button', { name: 'Получить код' }).click()
  await expect.poll(links).toBeGreaterThan(before)
  await page.goto(await linkIn(server, email, LINK))
}

async function turnOn(page: Page): Promise<{ key: string; codes: string[] }> {
  await page.goto('/profile/account')
  await page.getByRole('region', { name: 'Вход в два шага' }).getByRole('button', { name: 'Включить' }).click()
  const dialog = page.getByRole('dialog', { name: 'Вход в два шага' })
  await expect(dialog.getByRole('img', { name: 'QR-код с ключом для приложения' })).toBeVisible()
  const key = ((await dialog.locator('.select-all').textContent()) ?? '').replace(/\s/g, '')
  await dialog.getByLabel('Код из приложения').fill(codeOf(key, 0))
  await dialog.getByRole('button', { name: 'Включить' }).click()
  const shown = dialog.getByRole('list', { name: 'Коды восстановления' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allInnerTexts()
  await dialog.getByRole('button', { name: 'Сохранено' }).click()
  return { key, codes }
}

test('sign-in asks for an app code or takes a recovery code once', async ({ page, browser, server, email }) => {
  await startSession(page, server, email)
  const { key, codes } = await turnOn(page)
  await expect(page.getByText('Кодов восстановления осталось: 10.')).toBeVisible()

  const phone = await browser.newContext({ baseURL: server.url })
  const elsewhere = await phone.newPage()
  await takeFirstStep(elsewhere, server, email)
  await expect(elsewhere.getByRole('heading', { name: 'Второй шаг входа' })).toBeVisible()
  await elsewhere.getByLabel('Код из приложения').fill('000000')
  await elsewhere.getByRole('button', { name: 'Продолжить' }).click()
  await expect(elsewhere.getByRole('alert')).toContainText('Код не подошёл')
  await elsewhere.goto('/threads')
  await expect(elsewhere).toHaveURL(/\/auth\/signin/)

  await takeFirstStep(elsewhere, server, email)
  await elsewhere.getByLabel('Код из приложения').fill(codeOf(key))
  await elsewhere.getByRole('button', { name: 'Продолжить' }).click()
  // The page that was requested without a session.
  await expect(elsewhere).toHaveURL(`${server.url}/threads`)
  await phone.close()

  const other = await browser.newContext({ baseURL: server.url })
  const third = await other.newPage()
  await takeFirstStep(third, server, email)
  await third.getByRole('button', { name: 'Нет доступа к приложению' }).click()
  await third.getByLabel('Код восстановления').fill((codes[0] ?? '').toUpperCase())
  await third.getByLabel('Не спрашивать на этом устройстве').check()
  await third.getByRole('button', { name: 'Продолжить' }).click()
  await expect(third).toHaveURL(`${server.url}/`)
  await third.context().clearCookies({ name: /session_token/ })
  await takeFirstStep(third, server, email)
  await expect(third).toHaveURL(`${server.url}/`)
  await other.close()

  await page.reload()
  await expect(page.getByText('Кодов восстановления осталось: 9.')).toBeVisible()
})

test('a passkey is added in the profile, signs in and is deleted', async ({ page, server, email }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await startSession(page, server, email)
  await page.goto('/profile/account')
  const section = page.getByRole('region', { name: 'Ключи доступа' })
  await section.getByRole('button', { name: 'Добавить ключ доступа' }).click()
  await expect(section.getByText(/^Chrome на/)).toBeVisible()
  await section.getByRole('button', { name: /^Переименовать: Chrome/ }).click()
  await section.getByLabel('Название ключа').fill('Рабочий ноутбук')
  await page.keyboard.press('Enter')
  await expect(section.getByText('Рабочий ноутбук')).toBeVisible()

  // Otherwise the page would notice that its session has ended and redirect back to itself.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto('/auth/signin')
  await page.getByText('Другие способы').click()
  await page.getByRole('button', { name: 'Войти с ключом доступа' }).click()
  await expect(page).toHaveURL(`${server.url}/`)

  await page.goto('/profile/account')
  await section.getByRole('button', { name: 'Удалить: Рабочий ноутбук' }).click()
  await expect(section.getByText('Рабочий ноутбук')).toBeHidden()
})

test('an administrator proves an old session, and the action continues', async ({ page, browser, server, email }) => {
  const person = await browser.newContext({ baseURL: server.url })
  await signIn(await person.newPage(), server, email)
  await person.close()
  const admin = email.replace('person', 'admin')
  await startSession(page, server, admin)
  await server.rewrite(
    `update users set role = 'admin' where email = '${admin}';
     update sessions set created_at = now() - interval '1 hour'
     where user_id = (select id from users where email = '${admin}')`,
  )
  await page.goto(`/admin/users?q=${encodeURIComponent(email)}`)

  await page.getByRole('link', { name: 'CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Подтвердите, что это вы' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('link', { name: email }).first().click()
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Сделать администратором' }).click()
  await page.getByRole('button', { name: 'Сделать администратором' }).click()
  await dialog.getByRole('button', { name: 'Прислать код' }).click()
  await expect(dialog.getByLabel('Код из письма')).toBeVisible()
  const emails = await server.emails(admin)
  const code = emails.find(({ subject }) => subject.includes('Код подтверждения'))?.text.match(/\b\d{6}\b/)?.[0]
  await dialog.getByLabel('Код из письма').fill(code ?? '')
  await dialog.getByRole('button', { name: 'Подтвердить' }).click()
  await expect(page.getByText('Теперь это администратор')).toBeVisible()

  await page.goto('/admin/users')
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
})
