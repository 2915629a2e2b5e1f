import { expect, test } from 'vitest'
import { bundlePackages, type Load, licensesOf, modulesIn, type Resolve } from './bundled.mjs'

let resolve: Resolve = () => undefined
let load: Load = () => ({ contents: '', resolveDir: '' })
bundlePackages.setup({
  onResolve: (_options, hook) => {
    resolve = hook
  },
  onLoad: (_options, hook) => {
    load = hook
  },
})
const ours = '/repo/server/main.ts'
const theirs = '/repo/node_modules/zod/index.js'

test('packages of many modules are bundled, all others are imported (S10.495)', () => {
  expect(resolve({ path: 'zod/mini', kind: 'import-statement', importer: ours })).toBeUndefined()
  expect(resolve({ path: '@peculiar/asn1-schema', kind: 'import-statement', importer: theirs })).toBeUndefined()
  for (const path of ['pg', 'node:fs', 'zod-other'])
    expect(resolve({ path, kind: 'import-statement', importer: ours })).toEqual({ path, external: true })
})

test('a package that few calls need is loaded late (S10.495)', () => {
  const path = '@simplewebauthn/server'
  expect(resolve({ path, kind: 'import-statement', importer: ours })).toEqual({ path, namespace: 'lazy' })
  expect(resolve({ path, kind: 'dynamic-import', importer: path })).toBeUndefined()
  expect(load({ path })).toMatchObject({ contents: expect.stringContaining(`await import('${path}')`) })
})

test('a bundled package imports only bundled, own or optional packages (S10.495)', () => {
  for (const path of ['pg', 'node:fs', 'crypto'])
    expect(resolve({ path, kind: 'import-statement', importer: theirs })).toEqual({ path, external: true })
  expect(resolve({ path: 'left-pad', kind: 'dynamic-import', importer: theirs })).toMatchObject({ external: true })
  expect(resolve({ path: 'left-pad', kind: 'import-statement', importer: theirs })).toEqual({
    errors: [{ text: expect.stringContaining('left-pad') }],
  })
})

test('the licences of bundled packages are written once each, with their texts (S10.495)', () => {
  const files = ['server/main.ts', 'node_modules/zod/v4/mini/index.js', 'node_modules/zod/v4/core/util.js']
  expect(licensesOf([...files, 'node_modules/@better-auth/core/dist/index.mjs'])).toMatch(
    /^@better-auth\/core [\d.]+ \(MIT\)\n\n.*\n\n---\n\nzod [\d.]+ \(MIT\)\n\nMIT License/s,
  )
})

test('packages, fonts and icons of the page are among the licences (S10.495)', () => {
  const moduleIds = [
    `${process.cwd()}/web/main.tsx`,
    `\0${process.cwd()}/node_modules/react/index.js?commonjs-es-import`,
    '\0virtual:icon/search',
  ]
  const mono = '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'
  const files = modulesIn([
    { type: 'chunk', moduleIds },
    { type: 'asset', originalFileNames: [mono, 'fonts/golos-text/golos-text.woff2'] },
  ])
  const licences = licensesOf(files)
  expect(licences).toMatch(/^react [\d.]+ \(MIT\)\n\nMIT License/m)
  expect(licences).toMatch(/^@iconify-json\/lucide [\d.]+ \(ISC\)/m)
  expect(licences).toMatch(/^@fontsource-variable\/jetbrains-mono [\d.]+ \(OFL-1\.1\)/m)
  expect(licences).toMatch(/^golos-text [\d.]+ \(OFL-1\.1\)\n\nCopyright/m)
})
