import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureBuilt } from './lib/built.mjs'
import { ensurePackages } from './lib/packages.mjs'

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))))
await ensurePackages()
await ensureBuilt()
await import(pathToFileURL('dist/server.js').href)
