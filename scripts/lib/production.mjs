import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { LICENSE } from './bundled.mjs'
import { filesIn } from './files.mjs'

const UNUSED = /\.(map|d\.[cm]?ts|md|markdown|flow|tsbuildinfo)$|_snapshot\.json$/
/** Found by path at run time, which no import shows. */
const BINARY = /\.(node|wasm|data|so|gz)(\.|$)/
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//

/**
 * Copies what the built server needs to run from `root` to `to`: dist, and of the packages the files that it imports.
 * A package with binaries, and an installed optional one of a package in use, is copied whole.
 */
export async function copyProduction(root, to) {
  const imported = await importedFiles(root)
  const packages = new Set(imported.map((path) => PACKAGE.exec(path)?.[1]))
  const paths = new Set([
    'package.json',
    ...usedFiles(root, 'dist'),
    ...imported,
    ...imported.flatMap((path) => packageFilesAbove(root, path)),
    ...[...wholePackages(root, packages)].flatMap((folder) => usedFiles(root, folder)),
  ])
  for (const path of paths) cpSync(join(root, path), join(to, path))
}

/** Files inside node_modules that the entry points of dist import or require, however deep. */
async function importedFiles(root) {
  const entryPoints = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.js'))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entryPoints.map((name) => `dist/${name}`),
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'traced',
    platform: 'node',
    format: 'esm',
    // Only the conditions of Node: by default esbuild would prefer files meant for bundlers.
    conditions: [],
    external: ['*.node'],
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs).filter((path) => PACKAGE.test(path))
}

/** The package.json files that decide how Node reads the file, and the licence. */
function packageFilesAbove(root, path) {
  const top = PACKAGE.exec(path)?.[1] ?? ''
  const found = readdirSync(join(root, top)).filter((name) => LICENSE.test(name))
  const folders = []
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) folders.push(folder)
  return [...found.map((name) => join(top, name)), ...folders.map((folder) => join(folder, 'package.json'))].filter(
    (near) => existsSync(join(root, near)) && !near.endsWith('/node_modules'),
  )
}

function wholePackages(root, packages) {
  const whole = new Set()
  const add = (folder) => {
    if (whole.has(folder)) return
    whole.add(folder)
    for (const more of optionalOf(root, folder)) add(more)
  }
  for (const folder of packages) {
    if (usedFiles(root, folder).some((path) => BINARY.test(path))) add(folder)
    for (const more of optionalOf(root, folder)) add(more)
  }
  return whole
}

function optionalOf(root, folder) {
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.keys(optionalDependencies).flatMap((name) =>
    [`${folder}/node_modules/${name}`, `node_modules/${name}`].filter((at) => existsSync(join(root, at))).slice(0, 1),
  )
}

const usedFiles = (root, folder) =>
  filesIn(join(root, folder))
    .map((path) => relative(root, path))
    .filter((path) => !UNUSED.test(path))
