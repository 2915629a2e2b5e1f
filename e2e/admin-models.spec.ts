import { refuses, says, startFakeOpenAi } from '../server/llm/testing/fake-openai.ts'
import { asOwner, chooseRowAction, closeNotice, dragAbove, findRow, rowNames } from './admin.ts'
import { expect, test } from './steps.ts'

/** Each test starts the server with providers of its own. */

test.afterAll(({ server }) => server.restart())

test('the models without a key say how to connect a provider (S2.40)', async ({ page, server }) => {
  await server.restart({ PROVIDER_SCRIPT_BASE_URL: '' })
  await asOwner(page, server)
  await page.goto('/admin/models')
  await expect(page.getByText('Ни один провайдер не подключён')).toBeVisible()
  await page.getByRole('link', { name: 'Демо', exact: true }).click()
  await page.getByText('Описание', { exact: true }).first().click()
  await expect(page.getByText('Не меняется: по нему записаны списания.')).toBeVisible()
  await page.getByRole('button', { name: 'Проверить' }).click()
  await expect(page.getByText(/Ответила за [\d\s]+мс/)).toBeVisible()
  await page.getByRole('link', { name: 'Как подключить модели' }).click()
  await expect(page).toHaveURL(/\/help\/owners\/providers$/)
})

test('an owner adds, tries, prices, moves and deletes a model (S1.29, S2.40)', async ({ page, server }) => {
  const provider = await startFakeOpenAi()
  await server.restart({ PROVIDER_FAKE_BASE_URL: provider.baseUrl, PROVIDER_FAKE_API_KEY: 'a-key' })
  await asOwner(page, server)
  await page.goto('/admin/models/add')
  await page.getByLabel('Провайдер', { exact: true }).selectOption('fake')
  const pick = page.getByRole('combobox', { name: 'Модель у провайдера' })
  await pick.fill('old')
  await expect(page.getByRole('option', { name: /vendor\/old/ })).toContainText('Модель отключат 14 января 2027')
  await pick.press('Enter')
  await expect(pick).toHaveValue('vendor/old')
  await expect(page.getByText('Модель отключат 14 января 2027.')).toBeVisible()
  await expect(page.getByLabel('Идентификатор')).toHaveValue('old')

  provider.play(refuses(401))
  await page.getByRole('button', { name: 'Проверить' }).click()
  await expect(page.getByText('Модель не ответила')).toBeVisible()
  provider.play(says('Работает'))
  await page.getByRole('button', { name: 'Проверить' }).click()
  await expect(page.getByText('«Работает»')).toBeVisible()

  await page.getByLabel('Название').fill('Старушка')
  await page.getByLabel('Коэффициент ответа').fill('2')
  await page.getByText('Себестоимость и маржа').click()
  await page.getByLabel('Себестоимость вопроса').fill('0,40')
  await page.getByLabel('Себестоимость ответа').fill('1,60')
  await page.getByLabel('Курс для прикидки: 1 USD').fill('3')
  const preview = page.getByRole('region', { name: 'Прикидка цены' })
  await expect(preview).toContainText(/1\s000 символов ответа стоят 2\s000\sсимволов, это 0,04\sBYN/)
  await expect(preview).toContainText(/себестоимость 0,00053\s\$, маржа 0,038\sBYN \(96\s%\)/)
  await page.getByRole('button', { name: 'Добавить модель' }).click()
  await expect(page).toHaveURL(/\/admin\/models\/old$/)

  await page.goto('/admin/models')
  await expect(findRow(page, 'Старушка').getByText('отключат 14 января 2027')).toBeVisible()
  await dragAbove(page, 'Старушка', 'Демо')
  await expect.poll(async () => (await rowNames(page)).join(', ')).toContain('Старушка, Демо')
  await chooseRowAction(page, 'Старушка', 'Скрыть от пользователей')
  await expect(findRow(page, 'Старушка').getByText('Скрыта')).toBeVisible()
  await chooseRowAction(page, 'Старушка', 'Удалить')
  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await closeNotice(page, 'Модель «Старушка» удалена')
  expect((await gone).status()).toBe(200)
  await provider.close()
})
