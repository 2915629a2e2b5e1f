import { expect, test } from 'vitest'
import type { LimitRate } from '#contract/limits.ts'
import { formatRate, periodLabel, settingExample } from './limit-tables.tsx'

const rate = (more: Partial<LimitRate>): LimitRate => ({
  name: 'sends',
  title: 'Сообщения',
  per: 'user',
  points: 30,
  seconds: 60,
  isLocal: true,
  usual: null,
  refused: { hour: 0, day: 0 },
  ...more,
})

test('a period is written in the largest unit that divides it', () => {
  const periods = [1, 45, 60, 120, 600, 900, 3600, 7200, 86_400, 172_800, 604_800]
  expect(periods.map(periodLabel)).toEqual([
    'за секунду',
    'за 45 секунд',
    'за минуту',
    'за 2 минуты',
    'за 10 минут',
    'за 15 минут',
    'за час',
    'за 2 часа',
    'за сутки',
    'за 2 суток',
    'за 7 суток',
  ])
  expect(formatRate(rate({ points: 3000 })).replaceAll(/\s/g, ' ')).toBe('3 000 за минуту')
})

test('the setting lists changed limits or an example', () => {
  expect(settingExample([rate({})])).toBe('LIMITS="sends=60/60, stored-prompts=5000"')
  const changed = rate({ name: 'heavy', points: 5, seconds: 3600, usual: { points: 30, seconds: 3600 } })
  expect(settingExample([rate({}), changed])).toBe('LIMITS="heavy=5/3600"')
})
