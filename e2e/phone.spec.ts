import type { Page } from '@playwright/test'
import { asOwner } from './admin.ts'
import { expect, signIn, startSession, test } from './steps.ts'
import { ask as askQuietly, createThreads } from './thread-steps.ts'

/** What only a window of a certain size proves. */

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox()
  if (!found) throw new Error(`${selector} is not on the page`)
  return found
}

async function ask(page: Page) {
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Привет')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page.getByText('Вы спросили: «Привет».')).toBeVisible()
}

test('a chat on a phone has a single bar, also when zoomed (S10.182)', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, server, email)
  await ask(page)
  const bar = page.getByRole('banner')
  await expect(bar).toHaveCount(1)
  await expect(bar.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bar.getByRole('button', { name: /Меню чата/ })).toBeVisible()
  // The title has the room of a balance that is not low.
  await expect(bar.getByRole('link', { name: /Баланс/ })).toBeHidden()
  // 1280 × 800 at 200 %.
  await page.setViewportSize({ width: 640, height: 400 })
  const top = await box(page, '[data-frame-bar]')
  const composer = await page.getByRole('textbox', { name: 'Сообщение' }).locator('xpath=ancestor::form').boundingBox()
  expect((composer?.y ?? 0) - top.height).toBeGreaterThan(200)
})

test('the message field of a phone has choices behind «+» (S10.635, S10.636)', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await startSession(page, server, email)
  await page.goto('/')
  const form = page.getByRole('form', { name: 'Новое сообщение' })
  const field = page.getByRole('textbox', { name: 'Сообщение' })
  expect((await form.boundingBox())?.height).toBeLessThanOrEqual(120)
  await field.fill('Привет')
  await expect(page.getByText(/≈.*останется|цена ответа/)).toBeVisible()
  expect((await form.boundingBox())?.height).toBeLessThanOrEqual(120)
  await field.fill('')
  await expect(page.getByRole('link', { name: /Баланс/ })).toHaveText(/20\s000\sсимв\./)
  await page.getByRole('button', { name: 'Добавить к вопросу' }).click()
  await page.getByRole('menuitemradio', { name: /^Обычный.*до 5\s500/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Временный чат' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Убрать: Поиск · до 5\s500/ }).click()
  await page.getByRole('button', { name: 'Убрать: Временный чат' }).click()
  await expect(page.getByRole('button', { name: /^Убрать/ })).toHaveCount(0)
  for (const height of [480, 400]) {
    await page.setViewportSize({ width: 360, height })
    const top = (await form.boundingBox())?.y ?? 0
    const chips = await page.getByRole('list', { name: 'Примеры вопросов' }).boundingBox()
    if (chips) expect(chips.y + chips.height, `at ${height} px`).toBeLessThanOrEqual(top)
  }
})

test('the list of models ends inside the window (S10.636)', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 1280, height: 560 })
  await startSession(page, server, email)
  await page.goto('/')
  await page.getByRole('button', { name: /^Модель: / }).click()
  const list = await page.getByRole('dialog', { name: 'Выбор модели' }).boundingBox()
  expect(list && list.y >= 0 && list.y + list.height).toBeLessThanOrEqual(560)
})

test('controls on a phone are at least 44 px high (S10.182, S10.245)', async ({ page, server, email }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await startSession(page, server, email)
  const [chat] = await createThreads(page, 'Поездка')
  await askQuietly(page, chat, 'Куда поехать?')
  const addresses = [
    '/profile',
    '/profile/account',
    '/prompts',
    '/prompts/add',
    '/threads',
    '/images',
    `/threads/${chat}`,
  ]
  for (const path of addresses) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const small = await page.evaluate(() => {
      const named =
        'button, [role="tab"], nav[aria-label] a, header a, a[data-screen-only], form fieldset label, article button'
      return [...document.querySelectorAll<HTMLElement>(named)]
        .filter(
          (each) =>
            (each.textContent?.trim() !== '' || each.closest('article')) &&
            each.checkVisibility() &&
            !each.matches('.sr-only *'),
        )
        .filter((each) => each.getBoundingClientRect().height < 44)
        .map((each) => each.textContent || each.getAttribute('aria-label'))
    })
    expect(small, path).toEqual([])
  }
})

test('an owner sees chats without scrolling and the marked admin section (S10.181)', async ({ page, server }) => {
  await asOwner(page, server)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Сообщение' }).fill('Привет')
  await page.getByRole('button', { name: 'Отправить', exact: true }).click()
  await expect(page).toHaveURL(/\/threads\//)
  const chat = page.getByRole('navigation', { name: 'Чаты' }).getByRole('link').first()
  await expect(chat).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.goto('/admin/limits')
  await expect(page.getByRole('link', { name: 'Ограничения' })).toBeInViewport({ ratio: 0.95 })
})

test('a message covers no title and no way back (S10.182)', async ({ page, server, email }) => {
  await startSession(page, server, email)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 })
    // Without a section in the address, which would scroll the page at a time of its own.
    await page.goto('/profile/account')
    await page.getByLabel('Имя').fill(`Борис ${width}`)
    await page.getByRole('button', { name: /Сохранить/ }).click()
    // The toast slides in from above.
    const isApart = async () => {
      const [toast, title] = [await box(page, '[data-sonner-toast]'), await box(page, 'h1')]
      return toast.y >= title.y + title.height || title.y + title.height < 0
    }
    await expect.poll(isApart, `at ${width} px`).toBe(true)
  }
})
