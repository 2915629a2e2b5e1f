import { existsSync, readFileSync } from 'node:fs'
import { coverageProblems } from './lib/coverage.ts'
import { filesIn } from './lib/files.mjs'

/** Files that documents name exist. Records are history: they may name what has gone since. */

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...filesIn('docs')]
  .filter((file) => file.endsWith('.md'))
  .filter(existsSync)
const isRecord = (file: string) => file.startsWith('docs/decisions/')
const problems = [
  ...documents.filter((file) => !isRecord(file)).flatMap(missingPaths),
  ...documents.flatMap(brokenLinks),
  ...documents.filter(isRecord).flatMap(recordProblems),
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

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
