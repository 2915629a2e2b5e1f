import { spawn } from 'node:child_process'
import { ensurePackages } from './lib/packages.mjs'

await ensurePackages()
const page = process.env.PORT ?? '3000'
const api = String(Number(page) + 1)
const env = { ...process.env, APP_URL: process.env.APP_URL ?? `http://localhost:${page}` }
const children = [
  spawn('npx', ['tsx', 'watch', '--clear-screen=false', 'server/main.ts'], {
    stdio: 'inherit',
    env: { ...env, PORT: api },
  }),
  spawn('npx', ['vite', '--port', page, '--strictPort'], { stdio: 'inherit', env: { ...env, API_PORT: api } }),
]
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.once('exit', stop)
