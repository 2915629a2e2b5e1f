import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './lib/built.mjs'
import { ensurePackages } from './lib/packages.mjs'

await ensurePackages()
await ensureBuilt()
await import(pathToFileURL('dist/migrate.js').href)
