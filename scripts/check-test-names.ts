import { readFileSync } from 'node:fs'
import { longTestNames, testFiles } from './lib/test-names.ts'

/** The name of a test is a sentence of at most 12 words. */

const problems = testFiles().flatMap((file) =>
  longTestNames(readFileSync(file, 'utf8')).map((name) => `${file}: more than 12 words in «${name}»`),
)
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
