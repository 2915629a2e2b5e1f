import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { relative, resolve } from 'node:path'

/**
 * Packages of very many small modules, with what they import: resolving and opening a thousand of them took most of a
 * second of every start. Packages that read files of their own or are CommonJS are installed beside the server.
 */
const BUNDLED = [
  ...['better-auth', '@better-auth', 'better-call', '@better-fetch', 'kysely', 'drizzle-orm', 'zod', 'hono', 'jose'],
  ...['@hono/node-server', '@simplewebauthn/server', '@peculiar', '@levischuck/tiny-cbor', '@hexagon/base64', 'asn1js'],
  ...['pvtsutils', 'pvutils', 'tslib', 'tsyringe', 'reflect-metadata', '@opentelemetry', '@noble', 'nanostores'],
  ...['defu', 'rou3'],
]
export const LICENSE = /^(licen[cs]e|notice|copying)/i
const isBundled = (path) => BUNDLED.some((name) => path === name || path.startsWith(`${name}/`))

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const isInstalled = (path) => Object.keys(dependencies).some((name) => path === name || path.startsWith(`${name}/`))

/** Packages that only some calls need, with their async functions: loaded by the first of these calls. */
const LAZY = {
  '@simplewebauthn/server': [
    ...['generateRegistrationOptions', 'verifyRegistrationResponse'],
    ...['generateAuthenticationOptions', 'verifyAuthenticationResponse'],
  ],
}

const lazyModule = (path) =>
  LAZY[path]
    .map((name) => `export const ${name} = async (...args) => (await import('${path}')).${name}(...args)`)
    .join('\n')

/** For esbuild: bundles these packages and leaves the others to be imported. */
export const bundlePackages = {
  name: 'bundle-packages',
  setup: ({ onResolve, onLoad }) => {
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({ contents: lazyModule(path), resolveDir: '.' }))
    onResolve({ filter: /^[^.#/]/ }, ({ path, kind, importer }) => {
      if (path in LAZY && kind === 'import-statement') return { path, namespace: 'lazy' }
      if (kind === 'entry-point' || isBundled(path)) return
      // Resolved from the folder of the bundle, the package might be missing or be another version.
      if (importer.includes('/node_modules/') && kind === 'import-statement' && !isBuiltin(path) && !isInstalled(path))
        return { errors: [{ text: `${importer} imports ${path}: bundle it too (scripts/lib/bundled.mjs)` }] }
      return { path, external: true }
    })
  },
}

const ICON = /^virtual:icon\/.*/

/** The files that Vite made these outputs of: fonts are copied, icons drawn from their set, ids may have a query. */
export const modulesIn = (output) =>
  output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames))
    .map((id) =>
      id.replace('\0', '').replace(/\?.*/, '').replace(ICON, '../node_modules/@iconify-json/lucide/icons.json'),
    )
    .map((id) => relative('.', resolve('web', id)))

/** Packages, and fonts that we have cut to our letters. */
const OF_OTHERS = /^(?:(?:.*\/)?node_modules\/(?:@[^/]+\/)?|web\/fonts\/)[^/]+/

/** The licences of the packages that these files are from, which must go with their code. */
export function licensesOf(files) {
  const folders = new Set(files.flatMap((file) => OF_OTHERS.exec(file)?.[0] ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
      const texts = readdirSync(folder)
        .filter((file) => LICENSE.test(file))
        .map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join('\n\n---\n\n')
}
