import { filesIn } from './files.mjs'

const FOLDERS = ['bench', 'contract', 'drill', 'e2e', 'scripts', 'server', 'web']
const MOST_WORDS = 12
/** A text as the first argument of a call, with a function or options after it: `test('…', async () =>`. */
const NAME = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async\b\s*)?[({\w]/g
const NUMBERS = / \(S\d+\.\d+(?:, S\d+\.\d+)*\)$/

export const testFiles = (): string[] =>
  FOLDERS.flatMap(filesIn)
    .filter((name) => /\.(?:test\.tsx?|spec\.ts)$/.test(name))
    .sort()

/** Names of tests with more than 12 words; the numbers of the statements they prove do not count. */
export const longTestNames = (source: string): string[] =>
  [...source.matchAll(NAME)].map(([, , name = '']) => name).filter((name) => countWords(name) > MOST_WORDS)

function countWords(name: string): number {
  const words = name.replace(NUMBERS, '').replace(/\$\{[^}]*\}/g, 'value')
  return words.split(/\s+/).filter((word) => /[\p{L}\p{N}%$]/u.test(word)).length
}
