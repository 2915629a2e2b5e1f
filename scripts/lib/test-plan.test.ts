import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { notRun, PROGRAMS, planInstall, planTests, whatToInstall } from './test-plan.mjs'

const all = Object.keys(PROGRAMS)

describe('what is installed', () => {
  test('everything that is missing, by apt as root (S10.560)', () => {
    const plan = planInstall({ missing: ['postgresql', 'nginx'], isRoot: true, hasApt: true })
    expect(plan).toEqual({ packages: ['postgresql', 'nginx'], downloadsBrowser: false })
  })

  test.each([
    { isRoot: false, hasApt: true },
    { isRoot: true, hasApt: false },
    { isRoot: false, hasApt: false },
  ])('no package without root or without apt: %o', (machine) => {
    expect(planInstall({ ...machine, missing: all }).packages).toEqual([])
  })

  test('a missing browser is downloaded, which needs no rights', () => {
    const plan = planInstall({ missing: ['chromium-headless-shell'], isRoot: false, hasApt: false })
    expect(plan.downloadsBrowser).toBe(true)
  })
})

describe('what is run', () => {
  test('everything on a machine that lacks nothing', () => {
    expect(planTests([])).toEqual({ steps: ['check', 'embedded', 'postgres', 'drill', 'e2e'], skipped: [] })
    expect(whatToInstall([])).toBeNull()
  })

  test('without all programs what needs none of them, and every program is the reason of something left out (S10.560)', () => {
    const { steps, skipped } = planTests(all)
    expect(steps).toEqual(['check', 'embedded'])
    expect([...new Set(skipped.flatMap(({ lacks }) => lacks))].sort()).toEqual([...all].sort())
  })

  test('a missing program leaves out what needs it and nothing else', () => {
    const { steps, skipped } = planTests(['redis-server'])
    expect(steps).toEqual(['check', 'embedded', 'postgres', 'e2e'])
    expect(skipped.map(notRun)).toEqual([
      'не запускалось: учение с отказами (нет: Redis)',
      'не запускалось: тесты с Redis (нет: Redis)',
    ])
  })

  test('a program that only a part of a step needs leaves the step in', () => {
    const { steps, skipped } = planTests(['faketime'])
    expect(steps).toContain('drill')
    expect(skipped).toEqual([{ what: 'учение с чужими часами', lacks: ['faketime'] }])
  })

  test('what to install is named in one Russian line (S10.560)', () => {
    const advice = whatToInstall(['postgresql', 'chromium-headless-shell'])
    expect(advice).toMatch(/^Не хватает программ: PostgreSQL, Chromium\. Установите их/)
    expect(advice).not.toContain('\n')
  })
})

test('continuous integration runs `npm test` and nothing else (S10.560)', () => {
  const commands = readFileSync('.ci/run', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(commands).toEqual(['set -euo pipefail', 'cd "$(dirname "$0")/.."', 'npm test'])
})
