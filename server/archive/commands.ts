import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Database } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openFiles } from '#server/features/files/deps.ts'
import {
  archivesIn,
  assertNotFileStorage,
  checkFiles,
  filesOf,
  lacksTooManyFiles,
  type Print,
  pruneArchives,
  readManifest,
  removeUnfinished,
  writeArchive,
} from './archive.ts'
import type { ArchiveCommand } from './args.ts'
import { type DestinationAddress, type OpenDestination, openDestination } from './destination.ts'
import { withDestinationLock } from './destination-lock.ts'
import { noteBackup } from './last-backup.ts'
import { move } from './move.ts'
import { type ArchiveConfig, checkDatabase, openSource, restoreAll, restoreRows } from './operations.ts'
import { temporaryFolder } from './temporary.ts'

/** False when it has done its work and found something wrong. */
export async function runCommand(args: ArchiveCommand, config: ArchiveConfig, say: Print): Promise<boolean> {
  switch (args.command) {
    case 'dump':
      return archive(config, { folder: args.folder }, Number.POSITIVE_INFINITY, say)
    case 'load':
      return withDestination({ folder: args.folder }, (destination) => load(config, destination, null, say))
    case 'backup':
      return archive(config, destinationOf(config), config.backup.keep, say)
    case 'restore':
      return withDestination(destinationOf(config), (destination) => restore(config, destination, args, say))
    case 'move':
      return move(config, args, say)
  }
}

async function archive(config: ArchiveConfig, where: DestinationAddress, keep: number, say: Print): Promise<boolean> {
  assertOutsideData(config, where)
  const destination = await openDestination(where)
  try {
    await assertNotFileStorage(destination.storage)
    return await withDestinationLock(destination, async () => {
      await removeUnfinished(destination.storage)
      const name = await write(config, destination, Number.isFinite(keep), say)
      say(`Копия ${name} готова: ${addressOf(where)}`)
      if (lacksTooManyFiles(await readManifest(destination.storage, name))) {
        say(
          '✗ Слишком многих файлов нет в хранилище. Проверьте DATA_DIR и S3_…: наверное, команда смотрит не туда. Прежние копии не тронуты.',
        )
        return false
      }
      const deleted = await pruneArchives(destination, keep)
      if (deleted.length > 0) say(`Прежние копии удалены: ${deleted.join(', ')}`)
      return true
    })
  } finally {
    await destination.close()
  }
}

/** Only backups are noted, not dumps, because only the age of the last backup is monitored. */
async function write(
  config: ArchiveConfig,
  destination: OpenDestination,
  isBackup: boolean,
  say: Print,
): Promise<string> {
  const { storage, pool } = await openFiles(config.dataDir, config.s3)
  let source: Database | null = null
  try {
    source = await openSource(config)
    const ownSecret = () => readFile(join(config.dataDir, 'auth-secret'), 'utf8').catch(() => null)
    const secret = config.authSecret ? null : await ownSecret()
    const name = await writeArchive({ database: source, storage, build: await buildId(), secret }, destination, say)
    if (isBackup) await noteBackup({ db: source.db, dataDir: config.dataDir, isEmbedded: !source.pool }, name)
    return name
  } finally {
    await source?.close()
    await pool.close()
  }
}

async function withDestination<T>(
  where: DestinationAddress,
  work: (destination: OpenDestination) => Promise<T>,
): Promise<T> {
  const destination = await openDestination(where, { mustExist: true })
  try {
    return await work(destination)
  } finally {
    await destination.close()
  }
}

type RestoreArgs = Extract<ArchiveCommand, { command: 'restore' }>

async function restore(
  config: ArchiveConfig,
  destination: OpenDestination,
  args: RestoreArgs,
  say: Print,
): Promise<boolean> {
  if (args.check) return check(destination, args, say)
  if (!args.list) return load(config, destination, args.name, say)
  const names = await archivesIn(destination.storage)
  for (const name of names) {
    const { at, build, files, tables } = await readManifest(destination.storage, name)
    say(`${name}  ${at}  сборка ${build}, строк ${sumOf(tables)}, файлов ${files.count}`)
  }
  if (names.length === 0) say('Здесь нет ни одной копии.')
  return true
}

async function load(
  config: ArchiveConfig,
  { storage }: OpenDestination,
  wanted: string | null,
  say: Print,
): Promise<boolean> {
  const name = await chooseArchive(storage, wanted)
  say(`Загружаю ${name}…`)
  const target = await openDatabase(config.database, sqlFolders())
  try {
    const { pool, ...files } = await openFiles(config.dataDir, config.s3)
    const { dataDir, authSecret } = config
    await restoreAll({ target, files, dataDir, authSecret }, storage, name, say).finally(() => pool.close())
    return await checkDatabase(target, say)
  } finally {
    await target.close()
  }
}

/** Proves an archive by restoring it into a database that is thrown away, and by reading every file. */
async function check({ storage }: OpenDestination, { name: wanted, into }: RestoreArgs, say: Print): Promise<boolean> {
  const name = await chooseArchive(storage, wanted)
  const folder = await temporaryFolder()
  try {
    const where = into ? { url: into } : { folder: join(folder.path, 'database') }
    const target = await openDatabase(where, sqlFolders())
    say(`Проверяю ${name}…`)
    try {
      await restoreRows(target, storage, name, say)
      const isSound = await checkDatabase(target, say)
      return (await checkStored(storage, name, say)) && isSound
    } finally {
      await target.close()
    }
  } finally {
    await folder.remove()
  }
}

async function checkStored(storage: OpenDestination['storage'], name: string, say: Print): Promise<boolean> {
  const manifest = await readManifest(storage, name)
  const bad = await checkFiles(storage, filesOf(storage, name, manifest))
  for (const key of bad) say(`✗ файл ${key} повреждён или пропал`)
  if (bad.length > 0) say('Удалите повреждённые файлы из места копий: следующая копия возьмёт их заново.')
  say(`Файлов проверено: ${manifest.files.count}`)
  if (manifest.files.missing > 0) say(`Не было уже при копировании: ${manifest.files.missing}`)
  return bad.length === 0 && !lacksTooManyFiles(manifest)
}

function destinationOf({ backup: { to } }: ArchiveConfig): DestinationAddress {
  if (!to) throw new Error('Не сказано, где хранить копии: задайте BACKUP_TO, например /var/backups/symbol.')
  return to
}

const addressOf = (where: DestinationAddress) =>
  'folder' in where ? where.folder : `s3://${[where.s3.bucket, where.s3.prefix].filter(Boolean).join('/')}`

/** An archive inside the folder of the files or of the database would be taken for a part of it. */
function assertOutsideData({ dataDir }: ArchiveConfig, where: DestinationAddress): void {
  if (!('folder' in where)) return
  const isInside = (folder: string) => `${resolve(where.folder)}${sep}`.startsWith(`${resolve(folder)}${sep}`)
  if (isInside(join(dataDir, 'files')) || isInside(join(dataDir, 'database')))
    throw new Error(
      `Копии нельзя складывать внутрь данных (${where.folder}). Возьмите другую папку, лучше другой диск.`,
    )
}

async function chooseArchive(storage: OpenDestination['storage'], wanted: string | null): Promise<string> {
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
