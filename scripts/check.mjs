import { spawn } from 'node:child_process'
import { ensurePackages } from './lib/packages.mjs'

/** Runs all static checks in parallel; each prints nothing unless it fails. */
const checks = {
  'format, lint': ['biome', 'check', '--error-on-warnings', '.'],
  'types of the server': ['tsc', '-p', 'server'],
  'types of the page': ['tsc', '-p', 'web'],
  'types of the worker': ['tsc', '-p', 'web/worker'],
  'types of the e2e tests and the drill': ['tsc', '-p', 'e2e'],
  arrows: ['tsx', 'scripts/check-arrows.ts'],
  documents: ['tsx', 'scripts/check-docs.ts'],
  'names of tests': ['tsx', 'scripts/check-test-names.ts'],
  settings: ['tsx', 'scripts/docs-settings.ts', '--check'],
  'help pages': ['tsx', 'scripts/check-content.ts'],
  'words for people': ['tsx', 'scripts/check-russian.ts'],
  unused: ['knip', '--no-progress'],
}

await ensurePackages({ withTools: true })
const results = await Promise.all(
  Object.entries(checks).map(([name, [command, ...args]]) => check(name, command, args)),
)
const failed = results.filter((ok) => !ok).length
if (failed > 0) process.exit(1)
console.log(`check: ${results.length} of ${results.length} good`)

function check(name, command, args) {
  return new Promise((done) => {
    const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.once('exit', (code) => {
      if (code !== 0) console.error(`\n✗ ${name}\n${output}`)
      done(code === 0)
    })
  })
}
