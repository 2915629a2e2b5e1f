import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { SqlFolders } from '#server/db/client.ts'
import { embeddedExtensions } from '#server/db/embedded.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { wrapEmbedded } from '#server/db/wrap-embedded.ts'

/**
 * A migrated, empty embedded database, made once for a state of the SQL files and stored between runs: making one takes
 * ten seconds of CPU time, copying it almost none.
 */

const CACHE_FOLDER = '.cache/migrated'

interface Migrated {
  /** As `PGlite.create({ loadDataDir })` reads it. */
  file: string
  /** As a server keeps it in its data folder. */
  folder: string
}

export async function migratedDatabase(): Promise<Migrated> {
  const key = await keyOf(sqlFolders())
  const folder = join(CACHE_FOLDER, key)
  if (!existsSync(folder)) {
    await make(folder)
    await removeOthers(key)
  }
  return { file: join(folder, 'database.tar'), folder: join(folder, 'database') }
}

/** The data folder of an installation that has been started before. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const { folder } = await migratedDatabase()
  await mkdir(dataDir, { recursive: true })
  await cp(folder, join(dataDir, 'database'), { recursive: true, mode: constants.COPYFILE_FICLONE })
}

async function make(folder: string): Promise<void> {
  // Another worker may be making it too: the first one puts it in place.
  const own = `${folder}.${randomUUID()}`
  await mkdir(own, { recursive: true })
  const client = await PGlite.create({ extensions: embeddedExtensions })
  await wrapEmbedded(client, sqlFolders()).migrate()
  const dump = await client.dumpDataDir('none')
  await client.close()
  await writeFile(join(own, 'database.tar'), Buffer.from(await dump.arrayBuffer()))
  const inFolder = await PGlite.create(join(own, 'database'), { extensions: embeddedExtensions, loadDataDir: dump })
  await inFolder.close()
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}

/** Removes the databases of earlier states of the SQL files, which take 85 MB each. */
async function removeOthers(key: string): Promise<void> {
  for (const name of await readdir(CACHE_FOLDER))
    if (!name.startsWith(key)) await rm(join(CACHE_FOLDER, name), { recursive: true, force: true })
}

async function keyOf({ migrations, functions }: SqlFolders): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of [migrations, functions]) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(sql|json)$/.test(name)).sort()
    for (const name of names) hash.update(name).update(await readFile(join(folder, name)))
  }
  for (const name of ['pglite', 'pglite-pgvector'])
    hash.update(await readFile(`node_modules/@electric-sql/${name}/package.json`))
  for (const path of ['server/db/embedded.ts', 'server/db/wrap-embedded.ts', 'server/db/migrate.ts'])
    hash.update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}
