import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openFiles } from '#server/features/files/deps.ts'
import { storedKinds } from '#server/features/storage/kinds.ts'
import { guardStorage } from '#server/features/storage/owner.ts'
import { openLog } from '#server/lib/log.ts'
import { diskStorage } from '#server/storage/disk.ts'
import { archivesIn, checkFiles, filesOf, pruneArchives, readManifest, writeArchive } from './archive.ts'
import { type ArchiveCommand, readArchiveArgs } from './args.ts'
import { noteBackup } from './last-backup.ts'
import { checkDatabase, moveRows, openSource, restoreAll, restoreRows } from './operations.ts'
import { copyObject, openPlace, type Place } from './place.ts'

/** Archives, backups and the move to Postgres from the command line; exits with 1 when something is wrong. */
try {
  const isGood = await run(readArchiveArgs(process.argv.slice(2)), readConfig())
  process.exit(isGood ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function run(args: ArchiveCommand, config: Config): Promise<boolean> {
  switch (args.command) {
    case 'dump':
      return dump(config, { folder: args.folder })
    case 'load':
      return load(config, { folder: args.folder }, null)
    case 'backup':
      return backup(config)
    case 'restore':
      return restore(config, args)
    case 'move':
      return move(config, args)
  }
}

async function dump(config: Config, where: { folder: string }): Promise<boolean> {
  const name = await archive(config, await openPlace(where))
  say(`Архив ${name} готов: ${where.folder}`)
  return true
}

async function backup(config: Config): Promise<boolean> {
  const place = await openPlace(placeOf(config))
  say(`Копия ${await archive(config, place, noteIn(config))} готова.`)
  const deleted = await pruneArchives(place, config.backup.keep)
  if (deleted.length > 0) say(`Прежние копии удалены: ${deleted.join(', ')}`)
  return true
}

/** Only backups count, not dumps: theirs is the age that is watched. */
const noteIn = (config: Config) => (source: Database, name: string) =>
  noteBackup({ db: source.db, dataDir: config.dataDir, isEmbedded: !source.pool }, name)

async function archive(
  config: Config,
  place: Place,
  onWritten: (source: Database, name: string) => Promise<void> = async () => {},
): Promise<string> {
  const [source, { storage, pool }] = [await openSource(config), await openFiles(config.dataDir, config.s3)]
  try {
    const secret = config.authSecret
      ? null
      : await readFile(join(config.dataDir, 'auth-secret'), 'utf8').catch(() => null)
    const name = await writeArchive({ database: source, storage, build: await buildId(), secret }, place, say)
    await onWritten(source, name)
    return name
  } finally {
    await source.close()
    await pool.close()
  }
}

async function restore(config: Config, args: Extract<ArchiveCommand, { command: 'restore' }>): Promise<boolean> {
  const place = await openPlace(placeOf(config))
  if (!args.list) return args.check ? check(place, args.name, args.into) : load(config, placeOf(config), args.name)
  for (const name of await archivesIn(place.storage)) {
    const { at, build, files, tables } = await readManifest(place.storage, name)
    say(`${name}  ${at}  сборка ${build}, строк ${sumOf(tables)}, файлов ${files.count}`)
  }
  return true
}

async function load(config: Config, where: Parameters<typeof openPlace>[0], wanted: string | null): Promise<boolean> {
  const { storage } = await openPlace(where)
  const name = await chosen(storage, wanted)
  say(`Загружаю ${name}…`)
  const target = await openDatabase(config.database, sqlFolders())
  const { pool, ...files } = await openFiles(config.dataDir, config.s3)
  try {
    await restoreAll({ target, files, dataDir: config.authSecret ? null : config.dataDir }, storage, name, say)
    return await checkDatabase(target, say)
  } finally {
    await target.close()
    await pool.close()
  }
}

/** Proves an archive by restoring it into a database that is thrown away, and by reading every file. */
async function check({ storage }: Place, wanted: string | null, into: string | null): Promise<boolean> {
  const name = await chosen(storage, wanted)
  const folder = await mkdtemp(join(tmpdir(), 'symbol-check-'))
  const target = await openDatabase(into ? { url: into } : { folder: join(folder, 'database') }, sqlFolders())
  try {
    say(`Проверяю ${name}…`)
    await restoreRows(target, storage, name, say)
    const isGood = await checkDatabase(target, say)
    const manifest = await readManifest(storage, name)
    const bad = await checkFiles(storage, await filesOf(storage, name, manifest))
    for (const key of bad) say(`✗ файл ${key} повреждён или пропал`)
    say(`Файлов проверено: ${manifest.files.count}`)
    if (manifest.files.missing.length > 0) say(`Не было уже при копировании: ${manifest.files.missing.length}`)
    return isGood && bad.length === 0
  } finally {
    await target.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function move(config: Config, { url, files }: { url: string; files: boolean }): Promise<boolean> {
  if ('url' in config.database) throw new Error('Переезжать незачем: DATABASE_URL уже задан. Уберите его для переезда.')
  if (files && !config.s3) throw new Error('Для --files нужны настройки S3_…: куда копировать файлы.')
  const source = await openDatabase(config.database, sqlFolders())
  const target = await openDatabase({ url }, sqlFolders())
  const { storage, incoming, pool } = await openFiles(config.dataDir, config.s3)
  try {
    await moveRows(source, target, say)
    const isGood = await checkDatabase(target, say)
    if (files) {
      const local = await diskStorage(join(config.dataDir, 'files'))
      let copied = 0
      for (const kind of storedKinds)
        for await (const keys of kind.keys(target.db))
          for (const key of keys) if (await copyObject(local, { storage, incoming }, key)) copied += 1
      say(`Файлов скопировано в S3: ${copied}`)
    }
    await guardStorage({ db: target.db, storage, log: openLog('silent'), adopt: true }).check()
    say(
      `Готово. Задайте DATABASE_URL и запускайте. Прежняя база осталась в ${config.database.folder}: не удаляйте её, пока не убедитесь, что всё на месте.`,
    )
    return isGood
  } finally {
    await source.close()
    await target.close()
    await pool.close()
  }
}

function placeOf({ backup: { to } }: Config): Parameters<typeof openPlace>[0] {
  if (!to) throw new Error('Не сказано, где хранить копии: задайте BACKUP_TO, например /var/backups/symbol.')
  return to
}

async function chosen(storage: Place['storage'], wanted: string | null): Promise<string> {
  const names = await archivesIn(storage)
  const name = wanted ?? names.at(-1)
  if (name && names.includes(name)) return name
  throw new Error(wanted ? `Копии ${wanted} нет. Есть: ${names.join(', ') || 'ни одной'}` : 'Здесь нет ни одной копии.')
}

/** The build beside this file; sources have none. */
async function buildId(): Promise<string> {
  const file = new URL('build.json', import.meta.url)
  const text = await readFile(file, 'utf8').catch(() => null)
  return text ? (JSON.parse(text) as { id: string }).id : 'development'
}

const sumOf = (tables: { rows: number }[]) => tables.reduce((sum, { rows }) => sum + rows, 0)

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
