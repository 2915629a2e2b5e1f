import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect } from './steps.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What a screen reader would trip over, or eyes. */
export async function violations(page: Page, runOnly: object = { type: 'tag', values: RULES }): Promise<string[]> {
  // Half a megabyte: once for each page that is loaded.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (only) => {
    interface Finding {
      id: string
      nodes: { target: unknown[] }[]
    }
    const runner = (globalThis as unknown as { axe: { run: (o: object) => Promise<{ violations: Finding[] }> } }).axe
    const result = await runner.run({ runOnly: only })
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, runOnly)
}

/** A theme changes colours and nothing else. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The page fits both widths and reads well in both themes. */
export async function expectGoodVisuals(page: Page, path: string) {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const place = `${path} at ${width} px`
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, `${place} scrolls sideways`).toBeLessThanOrEqual(0)
    expect(await violations(page), `${place}, light`).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    // Colours take a moment to change, and one look over a long page takes seconds on a busy machine.
    const timeouts = { message: `${place}, dark`, timeout: 45_000 }
    await expect.poll(() => violations(page, COLOURS), timeouts).toEqual([])
  }
}
