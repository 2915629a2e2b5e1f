import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/db/client.ts'
import { embeddedExtensions } from '#server/db/embedded.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { wrapEmbedded } from '#server/db/wrap-embedded.ts'
import { seed } from '#server/features/models/start-models.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty, migrated database that test files copy. */
    snapshot: { file: string } | { url: string; template: string }
    /** A Redis for tests with several instances, if the machine has one. */
    redisUrl: string | null
    /** Whether `npm test` has built the server. */
    isBuilt: boolean
  }
}

/** Migrates and seeds once; each test file starts from a copy. Runs on Postgres when TEST_DATABASE_URL is set. */
export async function setup(project: TestProject) {
  project.provide('redisUrl', process.env.TEST_REDIS_URL ?? null)
  project.provide('isBuilt', process.env.TEST_BUILD === '1')
  const url = process.env.TEST_DATABASE_URL
  return url ? setupPostgres(project, url) : setupEmbedded(project)
}

async function setupEmbedded(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'symbol-test-'))
  const client = await PGlite.create({ extensions: embeddedExtensions })
  const { db, migrate } = wrapEmbedded(client, sqlFolders())
  await migrate()
  await seed(db)
  const file = join(folder, 'snapshot.tar')
  const dump = await client.dumpDataDir('none')
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
  await client.close()
  project.provide('snapshot', { file })
  return () => rm(folder, { recursive: true })
}

async function setupPostgres(project: TestProject, url: string) {
  const template = `symbol_template_${process.pid}`
  await administer(url, `create database ${template}`)
  const database = await openDatabase({ url: databaseUrl(url, template) }, sqlFolders())
  await database.migrate()
  await seed(database.db)
  await database.close()
  project.provide('snapshot', { url, template })
  return () => administer(url, `drop database if exists ${template}`)
}

export function databaseUrl(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}

export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
