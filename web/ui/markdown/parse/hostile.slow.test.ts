import { expect, test } from 'vitest'
import { advanceSplit, splitText } from './split.ts'

/** CPU time of this process; other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const LENGTH = 100_000
const CHUNK = 100
const fill = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)

const units = [
  ...['[', '$', '*', '_', '`', '<', '>', '|', '&', '![', '[]', '[a](', '\\(', '- ', '1. ', '> [!', '> [!\n', '[\n'],
  ...['<sub>', '<sub>a ', '**a ', '*a_ ', '**x:**y ', '** a **\n', '~~a ', '$x_1 ', '$$\n', 'a`b``c```', 'http://a.b/'],
  ...['\\begin{align} ', 'a\n- **', 'слово '],
]

test.each(units)('100,000 characters of %j are parsed without a pause', { timeout: 120_000 }, (unit) => {
  const text = fill(unit)
  let split = splitText('', true)
  const costs: number[] = []
  let longestTail = 0
  for (let end = CHUNK; end <= LENGTH; end += CHUNK) {
    const start = cpuMs()
    split = advanceSplit(split, text.slice(0, end), true)
    costs.push(cpuMs() - start)
    longestTail = Math.max(longestTail, split.text.length - split.tailStart)
  }
  const start = cpuMs()
  split = advanceSplit(split, text, false)
  costs.push(cpuMs() - start)
  // Single chunks may be hit by the garbage collector or the compiler.
  expect(costs.toSorted((a, b) => a - b).at(Math.floor(costs.length * 0.98))).toBeLessThan(50)
  expect(longestTail).toBeLessThan(20_000)
})

test('a paragraph that was cut loses nothing and is cut the same in chunks and at once', () => {
  const text = `${'слово **жирное** '.repeat(800)}\n\n\`\`\`\n${'[x] '.repeat(3000)}\n\`\`\`\n`
  const whole = splitText(text, false)
  let split = splitText('', true)
  for (let end = 0; end <= text.length; end += 37) split = advanceSplit(split, text.slice(0, end), true)
  split = advanceSplit(split, text, false)
  expect(split.text).toBe(whole.text)
  expect(whole.text.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
  expect(whole.blocks.filter(({ node }) => node.type === 'paragraph').length).toBeGreaterThan(1)
  // Code is never cut.
  expect(whole.blocks.at(-1)?.node).toMatchObject({ type: 'code', value: '[x] '.repeat(3000) })
})
