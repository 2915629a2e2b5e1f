import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { wrongWords } from './lib/russian.ts'

/** Reads what people read: the texts of the screens, the server and the contract, the help and the documents for operators. */

const paths = process.argv.slice(2)
const sources =
  paths.length > 0
    ? paths
    : ['web', 'server', 'contract', 'content/help', 'docs/operations', 'README.md', 'SECURITY.md']
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...sources], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:tsx?|md)$/.test(file) && existsSync(file))
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))

const found = files.flatMap((file) => wrongWords(file, readFileSync(file, 'utf8')).map((word) => `${file}:${word}`))
for (const word of found) console.info(word)
if (found.length > 0) {
  console.info(`${found.length} texts to change, see «Words for people» in docs/glossary.md`)
  process.exitCode = 1
}
