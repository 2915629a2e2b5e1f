import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Database } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { openFiles } from '#server/features/files/deps.ts'
import { storedKinds } from '#server/features/index.ts'
import { guardStorage } from '#server/features/storage/owner.ts'
import { openLog } from '#server/lib/log.ts'
import { diskStorage } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'
import { inParallel, type Print, storedFileKeys } from './archive.ts'
import { copyObject, type Destination } from './destination.ts'
import { type ArchiveConfig, assertDatabaseExists, checkDatabase, moveRows } from './operations.ts'
import { noteFilesDone } from './rows.ts'

interface MoveArgs {
  /** The new database. */
  url: string
  /** Whether the files go to S3 as well. */
  files: boolean
}

/** Moves an embedded installation to Postgres. The old data is not changed; an interrupted move can be continued. */
export async function move(config: ArchiveConfig, { url, files }: MoveArgs, say: Print): Promise<boolean> {
  const { folder } = config.database
  if (!folder) throw new Error('Переезжать незачем: DATABASE_URL уже задан. Уберите его для переезда.')
  if (files && !config.s3) throw new Error('Для --files нужны настройки S3_…: куда копировать файлы.')
  await assertDatabaseExists(folder)
  const source = await openDatabase({ folder }, sqlFolders())
  const { storage, incoming, pool } = await openFiles(config.dataDir, config.s3)
  const target = await openDatabase({ url }, sqlFolders())
  try {
    if (files) await assertBucketIsOurs(source, storage)
    await moveRows(source, target, say)
    const isSound = await checkDatabase(target, say)
    if (files) await moveFiles(target, join(config.dataDir, 'files'), { storage, incoming }, say)
    const state = await guardStorage({
      db: target.db,
      storage,
      kinds: storedKinds,
      log: openLog('silent'),
      adopt: true,
    }).check()
    if (state !== 'ours') say('✗ Хранилище файлов не отвечает: запустите сервер один раз с STORAGE_ADOPT=1.')
    await target.onConnection(({ execute }) => noteFilesDone(execute))
    say(
      isSound
        ? `Готово. Задайте DATABASE_URL и запускайте. Прежняя база осталась в ${folder}: не удаляйте её, пока не убедитесь, что всё на месте.`
        : 'Перенесено, но проверка нашла ошибки, они названы выше. Были ли они и до переезда, покажет npm run reconcile.',
    )
    return isSound && state === 'ours'
  } finally {
    await target.close()
    await source.close()
    await pool.close()
  }
}

const Owner = z.object({ id: z.string() })

/** A bucket of another installation is not taken over. */
async function assertBucketIsOurs({ execute }: Database, storage: Storage): Promise<void> {
  const written = await storage.readOwner()
  if (written === null) return
  const owner = Owner.safeParse(JSON.parse(written))
  const { rows } = await execute('select id from installation')
  if (!owner.success || owner.data.id !== (rows[0] as { id: string } | undefined)?.id)
    throw new Error(
      'В этой корзине файлы другой установки. Задайте другой S3_BUCKET или S3_PREFIX. Ничего не перенесено.',
    )
}

async function moveFiles({ db }: Database, folder: string, to: Destination, say: Print): Promise<void> {
  const [local, present] = [await diskStorage(folder), await storedFileKeys(to.storage)]
  let [copied, missing] = [0, 0]
  for (const kind of storedKinds)
    for await (const keys of kind.keys(db))
      await inParallel(keys, async (key) => {
        if (present.has(key)) return
        if (await copyObject(local, to, key)) copied += 1
        else missing += 1
      })
  say(`Файлов скопировано в S3: ${copied}${missing > 0 ? `, не найдено: ${missing}` : ''}`)
}
