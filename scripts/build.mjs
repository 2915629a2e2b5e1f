import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build as esbuild, transformSync } from 'esbuild'
import { build as vite } from 'vite'
import { bundlePackages, licensesOf, modulesIn } from './lib/bundled.mjs'
import { filesIn } from './lib/files.mjs'
import { fingerprint } from './lib/inputs.mjs'
import { pagePartsOf } from './lib/page-parts.mjs'
import { stylesFor } from './lib/shell-styles.mjs'
import { buildDrawing, renderShells } from './lib/shells.mjs'

// Each build has its own folder, so that two builds at once do not mix.
const NEXT = `dist.next-${process.pid}`
/** Its base styles are in ours; no list of a stylesheet names them. */
const TAILWIND = 'node_modules/tailwindcss/preflight.css'
const inputs = fingerprint()

rmSync(NEXT, { recursive: true, force: true })
const { output } = await vite({ logLevel: 'warn', build: { outDir: `../${NEXT}/web`, emptyOutDir: true } })
for (const name of ['boot', 'reload-fresh']) minify(`${NEXT}/web/${name}.js`)
compileWhole(`${NEXT}/web`)
paintBeforeFiles(`${NEXT}/web`)
const { shells, drawn } = await renderShells(`${NEXT}/shells`)
await buildDrawing(`${NEXT}/drawing`)
const styles = stylesOf(output, shells, drawn)
writeFileSync(`${NEXT}/page-parts.json`, JSON.stringify({ ...pagePartsOf(output), shells, styles }))
for (const file of filesIn(`${NEXT}/web`)) if (/\.(js|css|svg|json|webmanifest)$/.test(file)) compress(file)
keepPrevious()
const { metafile } = await esbuild({
  entryPoints: {
    server: 'server/main.ts',
    'server-flags': 'scripts/server-flags.mjs',
    migrate: 'server/migrate.ts',
    reconcile: 'server/reconcile.ts',
    archive: 'server/archive/main.ts',
    'audit-verify': 'server/audit-verify.ts',
    'seed-demo': 'server/seed-demo.ts',
    'files-worker': 'server/files/worker.ts',
    'docx-worker': 'server/features/sharing/docx/worker.ts',
    'json-worker': 'server/http/json-worker.ts',
    'vectors-worker': 'server/llm/vectors/worker.ts',
  },
  outdir: NEXT,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  plugins: [bundlePackages],
  mainFields: ['module', 'main'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
})
writeFileSync(`${NEXT}/licenses.txt`, licensesOf([...modulesIn(output), TAILWIND, ...Object.keys(metafile.inputs)]))
// The server prepends the list of files to cache to this script.
await esbuild({
  entryPoints: { worker: 'web/worker/worker.ts', 'worker-off': 'web/worker/off.ts' },
  ...{ outdir: NEXT, bundle: true, minify: true, format: 'iife', target: 'es2022', logLevel: 'warning' },
})
for (const name of ['migrations', 'functions']) cpSync(`server/db/${name}`, `${NEXT}/${name}`, { recursive: true })
if (existsSync('content')) {
  cpSync('content', `${NEXT}/content`, { recursive: true })
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/render-help.ts', `${NEXT}/content/help`])
}
writeFileSync(`${NEXT}/build.json`, JSON.stringify({ id: inputs.slice(0, 12), inputs }))

rmSync('dist.old', { recursive: true, force: true })
if (existsSync('dist')) renameSync('dist', 'dist.old')
renameSync(NEXT, 'dist')
rmSync('dist.old', { recursive: true, force: true })

/** Tabs opened before an update still ask for their hashed files: the last build's are kept for one build more. */
function keepPrevious() {
  if (!existsSync('dist/web/assets')) return
  mkdirSync(`${NEXT}/previous`, { recursive: true })
  cpSync('dist/web/assets', `${NEXT}/previous/assets`, { recursive: true })
}

/**
 * Lets the browser compile the whole file while it comes, beside the main thread, and not each function on the main
 * thread when it is called first. For the files that run before the field of the first screen is there.
 */
function compileWhole(folder) {
  for (const file of readdirSync(`${folder}/assets`).filter((name) =>
    /^(react|main|frame|signin|thread|markdown)-\w+\.js$/.test(name),
  )) {
    const path = `${folder}/assets/${file}`
    writeFileSync(path, `//# allFunctionsCalledOnLoad\n${readFileSync(path, 'utf8')}`)
  }
}

/**
 * The first paint waits for no file: boot.js is written into the page and requests the scripts after the first frame,
 * and the stylesheet is applied together with what React renders (web/lib/shell.ts).
 */
function paintBeforeFiles(folder) {
  const page = `${folder}/index.html`
  const boot = readFileSync(`${folder}/boot.js`, 'utf8').trim()
  const html = readFileSync(page, 'utf8')
  const changed = html
    .replace(/<script src="\/boot\.js".*?><\/script>/, () => `<script>${boot}</script>`)
    .replaceAll(/<script type="module" crossorigin src="(.*?)"><\/script>/g, '<link data-file="run" href="$1">')
    .replaceAll(/<link rel="modulepreload" crossorigin href="(.*?)">/g, '<link data-file href="$1">')
    .replaceAll('<link rel="stylesheet"', '<link data-file="style" media="not all"')
  if (!/<script>.*data-file="run".*data-file="style"/s.test(changed)) throw new Error('index.html has another form')
  writeFileSync(page, changed)
  rmSync(`${folder}/boot.js`)
}

/** The styles that are written into a page, by its layout. `drawn` is a chat as the server draws it. */
function stylesOf(output, shells, drawn) {
  const cssOf = (name) =>
    output.find(({ fileName }) => fileName.startsWith(`assets/${name}-`) && fileName.endsWith('.css')).source.toString()
  const css = cssOf('main')
  const join = (...layouts) =>
    Object.keys(shells)
      .filter((name) => layouts.includes(name.split('-')[0]))
      .map((name) => shells[name])
      .join('')
  return {
    signin: stylesFor(css, join('signin')),
    framed: stylesFor(css, join('home', 'frame')),
    thread: stylesFor(css + cssOf('markdown'), join('thread') + drawn),
    other: stylesFor(css, shells['no-auth'] ?? ''),
  }
}

/** Vite copies the file without minifying it, comments included. */
function minify(file) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { minify: true, format: 'iife', target: 'chrome123' })
  writeFileSync(file, code)
}

function compress(file) {
  const content = readFileSync(file)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  writeFileSync(`${file}.br`, brotliCompressSync(content, options))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
}
