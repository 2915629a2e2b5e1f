import { expect, signIn, test } from './steps.ts'

test('a new build brings a notice, and «Обновить» loads it (S4.10)', async ({ page, server, email }) => {
  await signIn(page, server, email)
  await expect(page.getByText('20 000 символов').first()).toBeVisible()
  await server.restart({ BUILD_ID: 'a-newer-build' })
  const notice = page.getByText('Вышла новая версия')
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Обновить' }).click()
  await expect(notice).toBeHidden()
  const { config } = await (await page.request.get('/api/page')).json()
  expect(config.buildId).toBe('a-newer-build')
})
