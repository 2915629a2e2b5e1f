import { existsSync, readFileSync } from 'node:fs'
import { filesIn } from './lib/files.mjs'

/** A document that names a file, a statement or a test is checked for its existence. */

const SPECIFICATION = 'docs/specification.md'
const COVERAGE = 'docs/coverage.md'

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...filesIn('docs')]
  .filter((file) => file.endsWith('.md'))
  .filter(existsSync)
const problems = [
  ...documents.flatMap(missingPaths),
  ...documents.flatMap(brokenLinks),
  ...documents.filter((file) => file.startsWith('docs/decisions/')).flatMap(recordProblems),
  ...coverageProblems(),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function missingPaths(document: string): string[] {
  const named = [
    ...read(document).matchAll(/`((?:contract|server|web|scripts|e2e|docs|content|bench|drill|\.ci)\/[\w./-]+)`/g),
  ]
  return named
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(path))
    .map((path) => `${document} names ${path}, which does not exist`)
}

/** A link to a file of the repository, relative to the document, leads to a file. */
function brokenLinks(document: string): string[] {
  const folder = document.includes('/') ? document.slice(0, document.lastIndexOf('/') + 1) : ''
  return [...read(document).matchAll(/\]\((?![a-z]+:|[#/])([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => `${folder}${target}`)
    .filter((path) => !existsSync(path))
    .map((path) => `${document} links to ${path}, which does not exist`)
}

/** A decision record says whether and since when it holds, and has three parts. */
function recordProblems(document: string): string[] {
  const text = read(document)
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).join(', ')
  return [
    ...(/^- Status: (?:accepted|superseded by \S+)\n- Date: \d{4}-\d\d-\d\d$/m.test(text)
      ? []
      : ['no Status and Date']),
    ...(headings === 'Context, Decision, Consequences' ? [] : [`the parts «${headings}»`]),
  ].map((problem) => `${document} has ${problem}`)
}

/** Every statement has a row, and every row names a statement and a test that exist, or is open with a reason. */
function coverageProblems(): string[] {
  const stated = [...read(SPECIFICATION).matchAll(/^- \*\*(S\d+\.\d+)\*\* \S/gm)].map(([, number = '']) => number)
  const rows = read(COVERAGE)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Statement|-)/.test(line))
    .map((line) => ({ line, cells: line.split('|').map((cell) => cell.trim()) }))
  const proven = new Set(rows.map(({ cells }) => cells[1]))
  return [
    ...stated
      .filter((number, index) => stated.indexOf(number) !== index)
      .map((number) => `${SPECIFICATION}: ${number} is there twice`),
    ...stated.filter((number) => !proven.has(number)).map((number) => `${COVERAGE}: no row for ${number}`),
    ...rows.flatMap(({ line, cells }) => rowProblems(line, cells, stated)),
  ]
}

function rowProblems(line: string, [, number = '', file = '', name = '']: string[], stated: string[]): string[] {
  if (!stated.includes(number)) return [`${COVERAGE}: ${SPECIFICATION} has no statement «${number}» in: ${line}`]
  if (file === 'open' && name) return []
  const path = file.match(/^`([^`]+\.(?:test\.tsx?|spec\.ts))`$/)?.[1]
  if (!path || !name) return [`${COVERAGE}: no proof in: ${line}`]
  return existsSync(path) && hasTest(path, name) ? [] : [`${COVERAGE}: ${path} has no test «${name}»`]
}

function hasTest(file: string, name: string): boolean {
  return read(file).replaceAll("\\'", "'").includes(name)
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
