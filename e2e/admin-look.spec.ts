import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { asOwner } from './desk.ts'
import { expect, test } from './journey.ts'

/** The owner's screens at both widths and in both themes. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    interface Finding {
      id: string
      nodes: { target: unknown[] }[]
    }
    const runner = (globalThis as unknown as { axe: { run: (o: object) => Promise<{ violations: Finding[] }> } }).axe
    const result = await runner.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  })
}

test('the owner’s lists and forms fit both widths and read well in both themes', async ({ page, server }) => {
  test.setTimeout(240_000)
  await asOwner(page, server)
  const made = await page.request.post('/api/promocodes', {
    headers: { origin: server.url },
    data: { code: `LOOK-${Date.now()}`, symbols: 500, active: false },
  })
  const { id } = (await made.json()) as { id: string }
  for (const path of [
    '/admin/plans',
    '/admin/plans/add',
    '/admin/models',
    '/admin/models/demo',
    '/admin/promocodes',
    `/admin/promocodes/${id}`,
    '/admin/promocodes/add?make=many',
    '/admin/tokens-bundles',
    '/admin/tokens-bundles?edit=new',
    '/admin/statistic',
    '/admin/statistic?period=own&from=2026-01-01',
  ]) {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'light'],
      [360, 'dark'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      const place = `${path} at ${width} px, ${colorScheme}`
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${place} scrolls sideways`).toBeLessThanOrEqual(0)
      expect(await violations(page), place).toEqual([])
    }
  }
})

test('on a phone a row is a card that is sorted, moved and opened', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 760 })
  await asOwner(page, server)
  await page.goto('/admin/tokens-bundles')
  const names = () => page.locator('[data-row] [data-row-opener]').allInnerTexts()
  await expect.poll(names).toEqual(['Пакет на пробу', 'Пакет на месяц', 'Большой пакет'])
  await page.getByLabel('Сортировка').selectOption('Цена')
  await page.getByRole('button', { name: 'Сначала большие' }).click()
  await expect.poll(async () => (await names())[0]).toBe('Большой пакет')
  await page.getByLabel('Сортировка').selectOption('По порядку показа')
  await page.getByRole('button', { name: 'Переместить: Пакет на пробу' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await names())[1]).toBe('Пакет на пробу')
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await names())[0]).toBe('Пакет на пробу')
  await page
    .getByText('350 BYN')
    .or(page.getByText(/3,50\sBYN/))
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Пакет «Пакет на пробу»' })).toBeVisible()
})
