import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedModels } from '#server/features/models/start-models.ts'
import { migratedDatabase } from './migrated.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that test files copy; seeded on Postgres. */
    snapshot: { file: string } | { url: string; template: string }
    /** A Redis for tests with several instances, if the machine has one. */
    redisUrl: string | null
    /** Whether `npm test` has built the server. */
    isBuilt: boolean
    /** Whether `npm test` runs tests on Postgres too. */
    isAlsoOnPostgres: boolean
  }
}

/** Migrates once; each test file starts from a copy. Runs on Postgres when TEST_DATABASE_URL is set. */
export async function setup(project: TestProject) {
  project.provide('redisUrl', process.env.TEST_REDIS_URL ?? null)
  project.provide('isBuilt', process.env.TEST_BUILD === '1')
  project.provide('isAlsoOnPostgres', process.env.TEST_HAS_POSTGRES === '1')
  const url = process.env.TEST_DATABASE_URL
  if (url) return setupPostgres(project, url)
  project.provide('snapshot', { file: (await migratedDatabase()).file })
  return undefined
}

async function setupPostgres(project: TestProject, url: string) {
  const template = `symbol_template_${process.pid}_${project.name}`
  await administer(url, `create database ${template}`)
  const database = await openDatabase({ url: databaseUrl(url, template) }, sqlFolders())
  await database.migrate()
  await seedModels(database.db)
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
