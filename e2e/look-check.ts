import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect } from './journey.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a screen reader would trip over. */
export async function violations(page: Page): Promise<string[]> {
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

/** The page fits both widths and reads well in both themes. */
export async function expectGoodLook(page: Page, path: string) {
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
