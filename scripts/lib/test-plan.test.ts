import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { notRun, ON_BOTH, ON_POSTGRES, PROGRAMS, planInstall, planTests, whatToInstall } from './test-plan.mjs'

const all = Object.keys(PROGRAMS)

describe('the plan of installation', () => {
  test('has every missing package, with apt and root (S10.560)', () => {
    const plan = planInstall({ missing: ['postgresql', 'nginx'], isRoot: true, hasApt: true })
    expect(plan).toEqual({ packages: ['postgresql', 'nginx'], downloadsBrowser: false })
  })

  test.each([
    { isRoot: false, hasApt: true },
    { isRoot: true, hasApt: false },
    { isRoot: false, hasApt: false },
  ])('has no package without root or without apt: %o', (machine) => {
    expect(planInstall({ ...machine, missing: all }).packages).toEqual([])
  })

  test('downloads a missing browser without root', () => {
    const plan = planInstall({ missing: ['chromium-headless-shell'], isRoot: false, hasApt: false })
    expect(plan.downloadsBrowser).toBe(true)
  })
})

describe('the plan of tests', () => {
  test.each([...ON_POSTGRES, ...ON_BOTH])('the tests of %s exist', (start) => {
    const files = readdirSync('server', { recursive: true }).map((name) => `server/${String(name)}`)
    expect(files.some((file) => file.startsWith(start) && file.endsWith('.api.test.ts'))).toBe(true)
  })

  test('runs everything when nothing is missing', () => {
    expect(planTests([])).toEqual({ steps: ['check', 'embedded', 'postgres', 'drill', 'e2e'], skipped: [] })
    expect(whatToInstall([])).toBeNull()
  })

  test('without all programs runs only steps that need no program (S10.560)', () => {
    const { steps, skipped } = planTests(all)
    expect(steps).toEqual(['check', 'embedded'])
    expect([...new Set(skipped.flatMap(({ lacks }) => lacks))].sort()).toEqual([...all].sort())
  })

  test('skips only the steps that need the missing program', () => {
    const { steps, skipped } = planTests(['redis-server'])
    expect(steps).toEqual(['check', 'embedded', 'postgres', 'e2e'])
    expect(skipped.map(notRun)).toEqual([
      'не запускалось: учение с отказами (нет: Redis)',
      'не запускалось: тесты с Redis (нет: Redis)',
    ])
  })

  test('keeps a step when only a part of it needs the program', () => {
    const { steps, skipped } = planTests(['faketime'])
    expect(steps).toContain('drill')
    expect(skipped).toEqual([{ what: 'учение с чужими часами', lacks: ['faketime'] }])
  })

  test('names all missing programs in a single Russian line (S10.560)', () => {
    const advice = whatToInstall(['postgresql', 'chromium-headless-shell'])
    expect(advice).toMatch(/^Не хватает программ: PostgreSQL, Chromium\. Установите их/)
    expect(advice).not.toContain('\n')
  })
})

test('continuous integration runs only `npm test` (S10.560)', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(commands).toEqual(['set -euo pipefail', 'cd "$(dirname "$0")/.."', 'npm test'])
})
