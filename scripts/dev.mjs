import { spawn } from 'node:child_process'
import { ensurePackages } from './lib/packages.mjs'
import { onStopSignal } from './lib/stopping.mjs'

await ensurePackages()
const page = process.env.PORT ?? '3000'
const api = String(Number(page) + 1)
const env = { ...process.env, APP_URL: process.env.APP_URL ?? `http://localhost:${page}` }
// By their files: npx would start them behind a shell that signals do not pass.
const start = (file, args, more) =>
  spawn(process.execPath, [file, ...args], { stdio: 'inherit', env: { ...env, ...more } })
const children = [
  start('node_modules/tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'server/main.ts'], { PORT: api }),
  start('node_modules/vite/bin/vite.js', ['--port', page, '--strictPort'], { API_PORT: api }),
]
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
onStopSignal(stop)
for (const child of children) child.once('exit', stop)
