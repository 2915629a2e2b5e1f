import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, nextFrame } from './steps.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const ALL = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

export async function violations(page: Page, runOnly: object = ALL): Promise<string[]> {
  await untilSettled(page)
  // axe has half a megabyte, so it is injected once for each page load.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (only) => {
    interface Finding {
      id: string
      nodes: { target: unknown[] }[]
    }
    const runner = (globalThis as unknown as { axe: { run: (o: object) => Promise<{ violations: Finding[] }> } }).axe
    // No preload: only the rule about sound that plays by itself needs it.
    const result = await runner.run({ runOnly: only, resultTypes: ['violations'], preload: false })
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, runOnly)
}

/**
 * Colours in transition belong to neither theme, and transitions of a thousand elements take seconds, so they are
 * disabled.
 */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(still)
  })
}

/** Waits for transitions: a window that fades in has other colours meanwhile. */
async function untilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.all(transitions.map((each) => each.finished.catch(() => undefined)))
  })
}

/** A theme changes colours and nothing else. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

const COMBINATIONS = [
  [1280, ['light', 'dark']],
  [360, ['dark', 'light']],
] as const

export async function expectGoodVisuals(page: Page, ...paths: string[]) {
  for (const path of paths) await expectGoodScreen(page, path)
}

/** The page is loaded once, because its layout follows the size of the window. */
async function expectGoodScreen(page: Page, path: string) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await withoutTransitions(page)
  // A change of the theme is slow: in this order two changes cover all four combinations.
  for (const [width, themes] of COMBINATIONS) {
    await page.setViewportSize({ width, height: 800 })
    await nextFrame(page)
    const at = `${path} at ${width} px`
    await expectNoOverflow(page, at)
    for (const [i, theme] of themes.entries()) {
      await page.emulateMedia({ colorScheme: theme })
      const rules = i === 0 ? ALL : COLOURS
      // Layout and colours take a moment to change, and one check of a long page takes seconds on a busy machine.
      const within = { message: `${at} in the ${theme} theme`, timeout: 45_000 }
      await expect.poll(() => violations(page, rules), within).toEqual([])
    }
  }
}

export async function expectNoOverflow(page: Page, at = page.url()) {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, `${at} scrolls sideways`).toBeLessThanOrEqual(0)
}
