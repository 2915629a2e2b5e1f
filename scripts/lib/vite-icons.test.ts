import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { onePath } from './vite-icons.mjs'

const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json')
const set: { icons: Record<string, { body: string }> } = JSON.parse(readFileSync(file, 'utf8'))
const names = [...readFileSync('web/ui/icons.ts', 'utf8').matchAll(/icon\('([^']+)'\)/g)].map(([, name = '']) => name)

test('shapes become one path, and a first relative move stays absolute (S10.726)', () => {
  expect(onePath('<path d="m1 2l3 4"/><path d="m5-6.5.5 1"/>')).toBe('M1 2l3 4M5 -6.5l.5 1')
  expect(onePath('<circle cx="11" cy="12" r="8"/>')).toBe('M3 12a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z')
  expect(() => onePath('<ellipse rx="2"/>')).toThrow('ellipse')
})

test('every icon looks as its drawing (S10.726)', async () => {
  const pixels = (body: string) => {
    const shared = 'fill="none" stroke="black" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96" ${shared}>${body}</svg>`
    return sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer()
  }
  expect(names.length).toBeGreaterThan(100)
  for (const name of names) {
    const body = set.icons[name]?.body ?? ''
    const [drawn, joined] = await Promise.all([pixels(body), pixels(`<path d="${onePath(body)}"/>`)])
    const others = drawn.filter((alpha, i) => Math.abs(alpha - (joined[i] ?? 0)) > 96).length
    // Edges where two shapes meet are blended once and not twice.
    expect(others, name).toBeLessThan(8)
  }
})
