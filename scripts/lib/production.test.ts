import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesIn } from './files.mjs'
import { copyProduction } from './production.mjs'

const folder = mkdtempSync(join(tmpdir(), 'symbol-production-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const json = (value: object) => JSON.stringify(value)
const tree = {
  'package.json': json({ type: 'module' }),
  'dist/server.js': `import { used } from 'used'; import('./chunks/late.js'); used()`,
  'dist/server.js.map': '{}',
  'dist/chunks/late.js': `import 'native'; import 'packed'`,
  'dist/migrations/meta/_journal.json': '{}',
  'dist/migrations/meta/0000_snapshot.json': '{}',
  'node_modules/used/package.json': json({ exports: { module: './bundlers.js', import: './esm/index.js' } }),
  'node_modules/used/esm/package.json': json({ type: 'module' }),
  'node_modules/used/esm/index.js': `import deep from 'deep'; export const used = () => deep`,
  'node_modules/used/esm/index.d.ts': '',
  'node_modules/used/bundlers.js': '',
  'node_modules/used/LICENSE': 'MIT',
  'node_modules/used/node_modules/deep/package.json': json({ main: 'index.cjs' }),
  'node_modules/used/node_modules/deep/index.cjs': `module.exports = require('./a.cjs')`,
  'node_modules/used/node_modules/deep/a.cjs': 'module.exports = 1',
  'node_modules/used/node_modules/deep/unused.cjs': '',
  'node_modules/native/package.json': json({ main: 'i.js', optionalDependencies: { 'native-linux': '1', gone: '1' } }),
  'node_modules/native/i.js': 'try { require(`native-` + process.platform) } catch {}',
  'node_modules/native/lib/core.wasm': '',
  'node_modules/packed/package.json': '{}',
  'node_modules/packed/index.js': '',
  'node_modules/packed/extension.tar.gz': '',
  'node_modules/native/lib/by-path.js': '',
  'node_modules/native-linux/package.json': '{}',
  'node_modules/native-linux/binding.node': '',
  'node_modules/build-tool/package.json': '{}',
  'node_modules/build-tool/index.js': '',
}

test('the server gets only what it imports, and packages with binaries whole (S10.260)', async () => {
  const [root, to] = [join(folder, 'root'), join(folder, 'app')]
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  await copyProduction(root, to)
  const left = [
    'dist/server.js.map',
    'dist/migrations/meta/0000_snapshot.json',
    'node_modules/used/esm/index.d.ts',
    'node_modules/used/bundlers.js',
    'node_modules/used/node_modules/deep/unused.cjs',
    'node_modules/build-tool/package.json',
    'node_modules/build-tool/index.js',
  ]
  const copied = filesIn(to).map((path) => relative(to, path))
  expect(copied.sort()).toEqual(
    Object.keys(tree)
      .filter((path) => !left.includes(path))
      .sort(),
  )
})
