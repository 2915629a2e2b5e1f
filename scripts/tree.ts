import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Prints for each part the number of source files and their median, 95th percentile and longest length. */

const files = execFileSync('git', ['ls-files', 'contract', 'server', 'web'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|sql)$/.test(file) && !/\.test\.|\/testing\/|\/migrations\//.test(file))

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

console.info('part      files  lines   median  p95  longest  under 40')
for (const part of ['contract', 'server', 'web']) {
  const own = files.filter((file) => file.startsWith(`${part}/`))
  const sorted = own.map(linesOf).sort((a, b) => a - b)
  const total = sorted.reduce((sum, lines) => sum + lines, 0)
  const cells = [
    own.length,
    total,
    percentile(sorted, 0.5),
    percentile(sorted, 0.95),
    sorted.at(-1),
    sorted.filter((n) => n < 40).length,
  ]
  console.info(part.padEnd(10) + cells.map((cell, i) => String(cell).padEnd([7, 8, 8, 5, 9, 0][i] ?? 0)).join(''))
}
const casts = files.filter((file) => readFileSync(file, 'utf8').includes('as unknown as'))
console.info(`files with «as unknown as»: ${casts.length}`)
