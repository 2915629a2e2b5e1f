import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { asOwner, findNotice, findRow, uniqueCode } from './admin.ts'
import { test as base, expect, signIn, startSession } from './steps.ts'
import { expectNoOverflow } from './visual-check.ts'

/** Another user, in a browser of their own. */
const test = base.extend<{ person: Page }>({
  person: async ({ browser, server, email }, use) => {
    const page = await browser.newPage({ baseURL: server.url })
    await signIn(page, server, email)
    await use(page)
    await page.close()
  },
})

async function openCard(page: Page, email: string) {
  await page.goto(`/admin/users?query=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const action = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('an owner searches, filters, sorts and downloads users (S1.29)', async ({ page, server, person, email }) => {
  await person.close()
  await asOwner(page, server)
  await page.goto('/admin/users')
  await page.getByRole('searchbox').fill(email.slice(0, 14).toUpperCase())
  await expect(page.getByText('1–1 из 1')).toBeVisible()
  await expect(findRow(page, email)).toContainText('20 000')
  await page.getByRole('button', { name: 'Ещё', exact: true }).click()
  await page.getByLabel('Роль').selectOption('Администраторы')
  await expect(page.getByText('Под эти условия ничего не подошло.')).toBeVisible()
  await page.getByRole('button', { name: 'Снять отбор: Роль' }).click()
  await page.getByRole('button', { name: 'Баланс', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Баланс' })
  await dialog.getByLabel('От').fill('1 000')
  await dialog.getByRole('button', { name: 'Показать' }).click()
  await expect(page.getByRole('button', { name: /^Баланс от 1\s000$/ })).toBeVisible()
  await expect(page).toHaveURL(/balanceFrom=1000/)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue(email.slice(0, 14).toUpperCase())
  await expect(findRow(page, email)).toBeVisible()

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(email)

  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Почта' }).click()
  await expect(page).toHaveURL(/sort=email/)
  await page.getByRole('link', { name: 'owner@example.test' }).click()
  await expect(page.getByText('это вы')).toBeVisible()
  await page.getByRole('button', { name: 'Другие действия' }).click()
  await expect(page.getByRole('menuitem', { name: 'Удалить аккаунт' })).toHaveCount(0)
})

test('symbols are given and taken with a reason that the user sees (S1.29)', async ({
  page,
  server,
  person,
  email,
}) => {
  await asOwner(page, server)
  await openCard(page, email)
  await expect(page.getByRole('region', { name: 'Баланс' }).getByText(/^20\s000\sсимволов$/)).toBeVisible()

  await page.getByRole('button', { name: 'Подарить' }).click()
  await page.getByRole('button', { name: 'Подарить', exact: true }).last().click()
  await expect(page.getByText('Напишите причину', { exact: false })).toBeVisible()
  await page.getByLabel('Сколько символов').fill('5 000')
  const reason = `За найденную ошибку ${uniqueCode(email)}`
  await page.getByLabel('Причина').fill(reason)
  await page.getByRole('dialog').getByRole('button', { name: 'Подарить' }).click()
  await expect(page.getByRole('region', { name: 'Баланс' }).getByText(/^25\s000\sсимволов$/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Операции' })).toContainText(reason)
  await person.goto('/profile')
  await expect(person.getByText(reason).first()).toBeVisible()
  await expect(person.getByText(/25\s000/).first()).toBeVisible()

  await page.getByRole('button', { name: 'Забрать' }).click()
  await page.getByLabel('Сколько символов').fill('999 999')
  await page.getByLabel('Причина').fill('Подарили лишнее')
  await page.getByRole('dialog').getByRole('button', { name: 'Забрать' }).click()
  await expect(page.getByRole('region', { name: 'Баланс' }).getByText(/^0\sсимволов$/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Операции' })).toContainText('Символы забраны')
  await person.goto('/profile/operations')
  await expect(person.getByText('Символы забраны').first()).toBeVisible()
  await person.goto('/profile/account')

  const [file] = await Promise.all([
    person.waitForEvent('download'),
    person.getByRole('link', { name: 'Скачать мои данные' }).click(),
  ])
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ account: { email }, threads: [] })
})

test('a ban signs a user out until it is lifted (S1.29)', async ({ page, server, person, email }) => {
  await asOwner(page, server)
  await openCard(page, email)
  await page
    .getByRole('list', { name: 'Сеансы' })
    .getByRole('button', { name: /^Завершить сеанс/ })
    .click()
  await expect(page.getByText('Сейчас нигде не вошёл.')).toBeVisible()
  await expect(person).toHaveURL(/\/auth\/signin/)
  await signIn(person, server, email)

  await action(page, 'Заблокировать')
  await page.getByLabel('За что').fill('Рассылал рекламу')
  await page.getByLabel('До какого времени').fill('2020-01-01T10:00')
  await page.getByRole('dialog').getByRole('button', { name: 'Заблокировать' }).click()
  await expect(page.getByText('Это время уже прошло')).toBeVisible()
  await page.getByLabel('До какого времени').fill('')
  await page.getByRole('dialog').getByRole('button', { name: 'Заблокировать' }).click()
  await expect(page.getByText('Заблокирован насовсем')).toBeVisible()
  // On a busy machine the form with the same words is still closing.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Рассылал рекламу')).toBeVisible()
  await expect(person).toHaveURL(/\/auth\/signin/)

  await page.getByRole('button', { name: 'Снять блокировку' }).click()
  await expect(page.getByText('Заблокирован насовсем')).toHaveCount(0)
  await signIn(person, server, email)
})

test('a given or removed role opens or closes the admin screens (S1.29)', async ({ page, server, person, email }) => {
  await asOwner(page, server)
  await openCard(page, email)
  await action(page, 'Сделать администратором')
  await expect(page.getByText('увидит всех пользователей', { exact: false })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Сделать администратором' }).click()
  await expect(page.getByText('Администратор', { exact: true })).toBeVisible()
  await person.goto('/admin/users')
  await expect(person.getByRole('heading', { name: 'Пользователи' })).toBeVisible()

  await action(page, 'Снять роль администратора')
  await page.getByRole('dialog').getByRole('button', { name: 'Снять роль' }).click()
  await expect(page.getByText('Администратор', { exact: true })).toHaveCount(0)
  expect((await person.request.get('/api/users')).status()).toBe(403)
})

test('an impersonated session is read-only, survives a reload and leads back', async ({
  page,
  server,
  person,
  email,
}) => {
  await person.close()
  await page.setViewportSize({ width: 360, height: 740 })
  // Its own sign-in: the impersonated session must not become that of the other tests.
  await startSession(page, server, 'owner@example.test')
  await openCard(page, email)
  await action(page, 'Посмотреть глазами пользователя')
  await page.getByRole('button', { name: 'Посмотреть', exact: true }).click()
  const banner = page.getByText('Вы смотрите глазами пользователя', { exact: false }).first()
  await expect(banner).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/`)
  await page.reload()
  await expect(banner).toBeVisible()
  await expectNoOverflow(page)

  expect((await page.request.get('/api/users')).status()).toBe(403)
  const refused = await page.request.patch('/api/profile/balance', {
    headers: { origin: server.url },
    data: { amount: 1, modelId: 'script' },
  })
  expect(await refused.json()).toMatchObject({ status: 403, code: 'impersonated' })
  await page
    .getByRole('textbox', { name: /сообщение/i })
    .first()
    .fill('Пишу за другого')
  await page.getByRole('button', { name: 'Отправить' }).click()
  await expect(page.getByText('так можно только смотреть', { exact: false }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Вернуться' }).click()
  await expect(page).toHaveURL(/\/admin\/users\/.+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(email)
  await expect(banner).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Операции' }).getByRole('listitem')).toHaveCount(1)
})

test('an account is deleted only after its address is typed (S1.29)', async ({ page, server, person, email }) => {
  await asOwner(page, server)
  await openCard(page, email)
  const [file] = await Promise.all([page.waitForEvent('download'), action(page, 'Скачать данные')])
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data).toMatchObject({ account: { email }, counts: { threads: 0 } })
  expect(data).not.toHaveProperty('threads')

  await action(page, 'Удалить аккаунт')
  const sure = page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' })
  await expect(sure).toBeDisabled()
  await page.getByLabel(`Чтобы подтвердить, введите ${email}`).fill(email)
  await sure.click()
  await expect(page).toHaveURL(/\/admin\/users$/)
  await expect(findNotice(page, 'Аккаунт удалён')).toBeVisible()
  await expect(person).toHaveURL(/\/auth\/signin/)
  await page.getByRole('searchbox').fill(email)
  await expect(page.getByText('Под эти условия ничего не подошло.')).toBeVisible()
})

test('on a phone users are cards, and a user’s page fits (S2.40)', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await asOwner(page, server)
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Фильтры' }).click()
  await page.getByLabel('Сортировка').selectOption('Баланс')
  await expect(page).toHaveURL(/sort=balance/)
  await page.getByRole('link', { name: 'owner@example.test' }).click()
  await expect(page.getByRole('heading', { name: 'Сеансы' })).toBeVisible()
  await expectNoOverflow(page)
})
