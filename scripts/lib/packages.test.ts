import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesIn } from './files.mjs'

const { devDependencies: tools } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: object }

/** What `npm start` reads: the sources of the product and the scripts that build it. One shows an import as a text. */
const sources = [
  'vite.config.ts',
  ...['build', 'start', 'render-help'].flatMap((name) =>
    filesIn('scripts').filter((file) => file.includes(`/${name}.`)),
  ),
  ...['shells', 'shell-styles', 'page-parts', 'bundled', 'vite-icons', 'lean-contract'].flatMap((name) =>
    filesIn('scripts/lib').filter((file) => file.includes(`/${name}.`)),
  ),
  ...['contract', 'server', 'web'].flatMap((folder) => filesIn(folder)),
].filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && !/\.test\.|\/testing\/|api-keys\/programs\.tsx/.test(file))

/** Types are not there at run time, so `import type` may name a tool. */
const IMPORT = /(?<!import type [^\n]*)(?:\bfrom |^@?import |\bimport\()['"]([^'"]+)['"]/gm

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

test('what npm start reads imports no tools', () => {
  const texts = sources.map((file) => readFileSync(file, 'utf8'))
  const imported = new Set(texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name = '']) => packageOf(name))))
  expect([...imported]).toEqual(expect.arrayContaining(['react', 'vite', 'hono', 'tailwindcss']))
  expect([...imported].filter((name) => name in tools)).toEqual([])
})
