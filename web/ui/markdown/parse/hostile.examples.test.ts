import { expect, test } from 'vitest'
import { advanceSplit, splitText } from './split.ts'

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const long = ['[', '$', '*', '<sub>', '> [!', '> [!\n']
const short = [
  ...[
    '_',
    '`',
    '<',
    '>',
    '|',
    '&',
    '![',
    '[]',
    '[a](',
    '\\(',
    '- ',
    '1. ',
    '[\n',
    '<sub>a ',
    '**a ',
    '*a_ ',
    '**x:**y ',
  ],
  ...['** a **\n', '~~a ', '$x_1 ', '$$\n', 'a`b``c```', 'http://a.b/', '\\begin{align} ', 'a\n- **', 'слово '],
]
const cases = [
  ...long.map((unit) => [unit, 50_000, 500] as const),
  ...short.map((unit) => [unit, 20_000, 500] as const),
]

/** The time of a chunk depends on the machine; what is parsed again with each chunk does not. */
const LONGEST_TAIL = 13_000

test.each(cases)(
  'many %j, %i characters in all, are parsed without a pause (S10.655)',
  { timeout: 300_000 },
  (unit, length, chunk) => {
    const text = fill(unit, length)
    let split = splitText('', true)
    const times: number[] = []
    let longestTail = 0
    let mostSigns = 0
    for (let end = chunk; end <= length; end += chunk) {
      const start = performance.now()
      split = advanceSplit(split, text.slice(0, end), true)
      times.push(performance.now() - start)
      const tail = split.text.slice(split.tailStart)
      longestTail = Math.max(longestTail, tail.length)
      mostSigns = Math.max(mostSigns, tail.match(/[*_`$<>~![\]\\&:@|]/g)?.length ?? 0)
    }
    expect(longestTail).toBeLessThan(LONGEST_TAIL)
    expect(mostSigns).toBeLessThan(1000)
    // Time that grew with the text would be seven times as much in the last quarter as in the first.
    const quarter = times.length / 4
    expect(sum(times.slice(-quarter))).toBeLessThan(Math.max(2000, 5 * sum(times.slice(0, quarter))))
  },
)

test('a cut paragraph loses nothing and does not depend on chunks (S10.655)', () => {
  const text = `${'слово **жирное** '.repeat(800)}\n\n\`\`\`\n${'[x] '.repeat(3000)}\n\`\`\`\n`
  const whole = splitText(text, false)
  let split = splitText('', true)
  for (let end = 0; end <= text.length; end += 501) split = advanceSplit(split, text.slice(0, end), true)
  split = advanceSplit(split, text, false)
  expect(split.text).toBe(whole.text)
  expect(whole.text.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
  expect(whole.blocks.filter(({ node }) => node.type === 'paragraph').length).toBeGreaterThan(1)
  // Code is never cut.
  expect(whole.blocks.at(-1)?.node).toMatchObject({ type: 'code', value: '[x] '.repeat(3000) })
})
