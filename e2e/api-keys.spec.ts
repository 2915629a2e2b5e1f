import { expect, startSession, test } from './steps.ts'
import { expectGoodVisuals } from './visual-check.ts'

test('a key is made with proof, seen once, used, ended (S10.996)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  await server.rewrite(
    `update sessions set created_at = now() - interval '1 hour'
     where user_id = (select id from users where email = '${email}')`,
  )
  await page.goto(`${server.url}/profile/keys`)
  await page.getByRole('button', { name: 'Создать ключ' }).click()
  const form = page.getByRole('dialog', { name: 'Новый ключ API' })
  await form.getByLabel('Название').fill('n8n')
  await form.getByLabel('Предел за день').fill('50 000')
  await form.getByRole('button', { name: 'Создать ключ' }).click()
  const proof = page.getByRole('dialog', { name: 'Подтвердите, что это вы' })
  await proof.getByRole('button', { name: 'Прислать код' }).click()
  await expect(proof.getByLabel('Код из письма')).toBeVisible()
  const mails = await server.emails(email)
  const code = mails.find(({ subject }) => subject.includes('Код подтверждения'))?.text.match(/\b\d{6}\b/)?.[0]
  await proof.getByLabel('Код из письма').fill(code ?? '')
  await proof.getByRole('button', { name: 'Подтвердить' }).click()

  const shown = page.getByRole('dialog', { name: 'Ключ готов' })
  const secret = await shown.getByLabel('Ключ API').inputValue()
  expect(secret).toMatch(/^sym-[0-9A-Za-z]{43}$/)
  await shown.getByRole('button', { name: 'Готово' }).click()
  const row = page.getByRole('list', { name: 'Ключи API' }).getByRole('listitem')
  await expect(row).toContainText(`${secret.slice(0, 8)}…${secret.slice(-4)}`)

  const ask = () => fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
  const models = await ask()
  expect(models.status).toBe(200)
  expect(await models.json()).toMatchObject({ object: 'list' })
  await page.getByRole('button', { name: 'Отправить' }).click()
  await expect(page.getByText(/Списано \d/)).toBeVisible()
  await row.getByRole('link', { name: 'Операции' }).click()
  await expect(page).toHaveURL(/\?key=[\w-]+#operations$/)
  await expect(page.getByRole('combobox', { name: 'Ключ API' })).not.toHaveValue('')
  await expect(page.locator('#operations').getByText('ключ «n8n»')).toHaveCount(1)
  await expectGoodVisuals(page, '/profile/keys')
  await expect(page.locator('body')).not.toContainText(secret)

  await row.getByRole('button', { name: 'Отключить ключ n8n' }).click()
  await expect(page.getByText('Ключ отключён')).toBeVisible()
  expect((await ask()).status).toBe(401)
})
