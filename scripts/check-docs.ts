import { existsSync, readFileSync } from 'node:fs'
import { filesIn } from './lib/files.mjs'

/** A document that names a file or a test is checked for the file's or the test's existence. */

const documents = ['README.md', ...filesIn('docs')].filter((file) => file.endsWith('.md'))
const problems = [...documents.flatMap(missingPaths), ...missingTests('docs/coverage.md')]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function missingPaths(document: string): string[] {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(/`((?:contract|server|web|scripts|e2e|docs|content|bench|drill|\.ci)\/[\w./-]+)`/g)]
  return named
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(path))
    .map((path) => `${document} names ${path}, which does not exist`)
}

/** A row proves itself by `file` › name of the test; a row without proof says «open» and why. */
function missingTests(document: string): string[] {
  return readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Statement|-)/.test(line))
    .flatMap((line) => {
      const proofs = [...line.matchAll(/`([^`]+\.(?:test\.tsx?|spec\.ts))` › ([^<|]+?)\s*(?=<br>|\|)/g)]
      if (proofs.length === 0) return /\| open\b[^|]*\|$/.test(line.trim()) ? [] : [`${document}: no proof in: ${line}`]
      return proofs
        .filter(([, file = '', name = '']) => !existsSync(file) || !holds(file, name))
        .map(([, file, name]) => `${document}: ${file} has no test «${name}»`)
    })
}

function holds(file: string, name: string): boolean {
  return readFileSync(file, 'utf8').replaceAll("\\'", "'").includes(name)
}
