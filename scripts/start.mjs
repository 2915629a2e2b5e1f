import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './lib/built.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { onStopSignal } from './lib/stopping.mjs'

let isServing = false
onStopSignal((signal) => {
  if (!isServing) process.exit(1)
  // The server handles signals itself; the death of the parent is none.
  if (signal === null) process.kill(process.pid, 'SIGTERM')
})
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
await ensurePackages()
await ensureBuilt()
await import(pathToFileURL('dist/server.js').href)
isServing = true
