import { readdirSync, rmSync } from 'node:fs'
import { exitCode } from './lib/run.mjs'

/**
 * Writes the migration for what has changed in server/db/tables: npm run db:generate -- --name x. Of the descriptions of
 * all tables, 11,000 lines each, only the newest is compared with the next change; the others are removed.
 */

const META = 'server/db/migrations/meta'
const code = await exitCode('node_modules/.bin/drizzle-kit', ['generate', ...process.argv.slice(2)])
const snapshots = readdirSync(META).filter((name) => name.endsWith('_snapshot.json'))
for (const name of snapshots.sort().slice(0, -1)) rmSync(`${META}/${name}`)
process.exit(code)
