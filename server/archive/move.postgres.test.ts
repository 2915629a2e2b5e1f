import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Database } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { files, installation, users } from '#server/db/schema.ts'
import { storedKinds } from '#server/features/index.ts'
import { guardStorage } from '#server/features/storage/owner.ts'
import { newId } from '#server/lib/ids.ts'
import { openLog } from '#server/lib/log.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { S3Settings } from '#server/storage/s3-settings.ts'
import { readWhole } from '#server/storage/storage.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'
import { makeDataDir } from '#server/testing/migrated.ts'
import { nodeArgs } from '#server/testing/node-args.ts'
import { administer, databaseUrl } from '#server/testing/snapshot.ts'
import { freePort } from '../../scripts/lib/services.mjs'
import { runCommand } from './commands.ts'
import { moveRows } from './operations.ts'

const snapshot = inject('snapshot')

/** Needs a real Postgres: TEST_DATABASE_URL. */
describe.skipIf(!('url' in snapshot))('the move to Postgres', () => {
  const server = 'url' in snapshot ? snapshot.url : ''
  const made: string[] = []
  let root: string
  let dataDir: string
  let s3: { settings: S3Settings; child: ChildProcess } | undefined
  const key = `uploads/${newId()}`

  async function emptyTarget(): Promise<string> {
    const name = `symbol_move_${randomUUID().replaceAll('-', '')}`
    await administer(server, `create database ${name}`)
    made.push(name)
    return databaseUrl(server, name)
  }
  const opened = (where: { url: string } | { folder: string }) => openDatabase(where, sqlFolders())
  async function move(url: string, withFiles = false) {
    const printed: string[] = []
    const config = {
      ...{ database: { folder: join(dataDir, 'database') }, dataDir, authSecret: null },
      ...{ s3: withFiles ? (s3?.settings ?? null) : null, backup: { to: null, keep: 1 } },
    }
    const isGood = await runCommand({ command: 'move', url, files: withFiles }, config, (text) => printed.push(text))
    return { isGood, printed: printed.join('\n') }
  }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'symbol-move-'))
    dataDir = join(root, 'data')
    await makeDataDir(dataDir)
    const source = await opened({ folder: join(dataDir, 'database') })
    const person = { id: 'anna', name: 'Анна', email: 'anna@example.test', emailVerified: true }
    await source.db.insert(users).values(person)
    await aBranch(source.db, await aThread(source.db, 'anna'), 2000)
    await source.db.insert(installation).values({ id: newId() })
    const described = { kind: 'document', name: 'a.txt', mime: 'text/plain', bytes: 6, state: 'ready' } as const
    await source.db.insert(files).values({ id: newId(), userId: 'anna', storageKey: key, ...described })
    const storage = await diskStorage(join(dataDir, 'files'))
    await storage.put(key, Buffer.from('a file'), 'text/plain')
    await guardStorage({ db: source.db, storage, kinds: storedKinds, log: openLog('silent'), adopt: false }).check()
    await source.close()
    s3 = await startS3(join(root, 's3'))
  }, 180_000)
  afterAll(async () => {
    s3?.child.kill()
    if (s3) await once(s3.child, 'exit')
    for (const name of made) await administer(server, `drop database ${name}`)
    await rm(root, { recursive: true })
  })

  test('takes the rows and the storage; refuses a database with data (S10.257)', async () => {
    const url = await emptyTarget()
    const { isGood, printed } = await move(url)
    expect(printed).toContain('суммы сошлись')
    expect(isGood).toBe(true)
    const target = await opened({ url })
    expect(await target.db.$count(users)).toBe(1)
    const storage = await diskStorage(join(dataDir, 'files'))
    expect(
      await guardStorage({ db: target.db, storage, kinds: storedKinds, log: openLog('silent'), adopt: false }).check(),
    ).toBe('ours')
    const before = await fingerprintOf(target)
    await expect(move(url)).rejects.toThrow('уже есть пользователи')
    expect(await fingerprintOf(target)).toBe(before)
    await target.close()
  }, 180_000)

  test('takes the files to S3, unless the bucket belongs to another installation (S10.257)', async () => {
    if (!s3) throw new Error('No S3')
    const bucket = s3Storage(s3.settings)
    await bucket.writeOwner(JSON.stringify({ id: 'another', database: null }))
    const url = await emptyTarget()
    await expect(move(url, true)).rejects.toThrow('файлы другой установки')
    const target = await opened({ url })
    expect((await target.execute(`select to_regclass('users') as there`)).rows).toEqual([{ there: null }])
    await rm(join(root, 's3', 'files', '.installation._S3rver_object'), { force: true })
    await rm(join(root, 's3', 'files', '.installation._S3rver_metadata.json'), { force: true })

    const { isGood, printed } = await move(url, true)
    expect(printed).toContain('Файлов скопировано в S3: 1')
    expect(isGood).toBe(true)
    expect(Buffer.from((await readWhole(bucket, key)) ?? []).toString()).toBe('a file')
    const guard = guardStorage({
      db: target.db,
      storage: bucket,
      kinds: storedKinds,
      log: openLog('silent'),
      adopt: false,
    })
    expect(await guard.check()).toBe('ours')
    await target.close()
  }, 180_000)

  test('changes nothing when it is killed, and a second try works (S10.257)', async () => {
    const url = await emptyTarget()
    const before = await fingerprintOfFolder(join(dataDir, 'database'))
    const target = await opened({ url })
    const child = spawn(process.execPath, [...nodeArgs('archive'), 'move', url], {
      env: { PATH: dirname(process.execPath), DATA_DIR: dataDir },
      stdio: 'ignore',
    })
    // Inside the transaction: the schema is there, and the table of messages is being filled.
    const isLoading = `select count(*)::int as n from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = 'users' and l.mode = 'AccessExclusiveLock' and l.granted`
    const locks = async () => ((await target.execute(isLoading)).rows[0] as { n: number }).n
    await expect.poll(locks, { timeout: 120_000, interval: 2 }).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(locks).toBe(0)
    expect(await target.db.$count(users)).toBe(0)
    await target.close()
    expect((await move(url)).isGood).toBe(true)
    expect(await fingerprintOfFolder(join(dataDir, 'database'))).toBe(before)
  }, 300_000)

  test('continues after its rows are copied, unless the source has changed (S10.257)', async () => {
    const url = await emptyTarget()
    const [source, target] = [await opened({ folder: join(dataDir, 'database') }), await opened({ url })]
    const printed: string[] = []
    await moveRows(source, target, () => {})
    await moveRows(source, target, (text) => printed.push(text))
    expect(printed).toEqual(['Строки уже перенесены, продолжаю.'])
    const person = { id: 'boris', name: 'Борис', email: 'boris@example.test', emailVerified: true }
    await source.db.insert(users).values(person)
    await expect(moveRows(source, target, () => {})).rejects.toThrow('с тех пор она изменилась')
    await Promise.all([source.close(), target.close()])
  }, 180_000)
})

/** Users, as a text: enough to see that nothing was written. */
async function fingerprintOf({ execute }: Database): Promise<string> {
  return JSON.stringify((await execute('select xmin::text, users.* from users order by id')).rows)
}

/** Rows of the embedded database with the transactions that wrote them: its files change with every opening. */
async function fingerprintOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const database = await openDatabase({ folder }, sqlFolders())
  for (const table of ['users', 'messages', 'files', 'installation'])
    hash.update(JSON.stringify((await database.execute(`select xmin::text, t.* from ${table} t order by 1, 2`)).rows))
  await database.close()
  return hash.digest('hex')
}

async function startS3(folder: string) {
  const port = await freePort()
  const where = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--no-vhost-buckets', '-s']
  const args = ['node_modules/s3rver/bin/s3rver.js', ...where, '--configure-bucket', 'files']
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    )
  while (!(await isUp())) await sleep(100)
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return { child, settings: { endpoint, region: 'us-east-1', bucket: 'files', prefix: '', ...keys } }
}
