import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findScreen, screens } from '#contract/screens.ts'

test('every screen has a visual check (S10.241)', () => {
  const specs = readdirSync('e2e').filter((name) => name.endsWith('.spec.ts'))
  const source = specs.map((name) => readFileSync(`e2e/${name}`, 'utf8')).join('\n')
  const seen = [...source.matchAll(/expectGoodVisuals\(([\s\S]*?)\)$/gm)]
    .flatMap(([, args = '']) => [...args.matchAll(/['`](\/[^'`?]*)/g)])
    .map(([, path = '']) => findScreen(path)?.screen)
  expect(Object.keys(screens).filter((screen) => !seen.some((name) => name === screen))).toEqual([])
})
