import { resolve } from 'node:path'
import * as z from 'zod'
import { unlessEmpty } from '#server/lib/env-fields.ts'
import type { S3Settings } from '#server/storage/s3-settings.ts'

const text = unlessEmpty(z.string().trim().optional())

export const backupEnv = {
  BACKUP_TO: unlessEmpty(
    z
      .string()
      .trim()
      .regex(
        /^(?!s3:)|^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w-]+)*\/?$/,
        'нужна папка или корзина, например /var/backups/symbol или s3://backups/symbol',
      )
      .optional(),
  ),
  BACKUP_KEEP: z.coerce.number('нужно целое число копий, например 14').int().min(1).max(1000).default(14),
  BACKUP_S3_ENDPOINT: unlessEmpty(
    z.url({ protocol: /^https?$/, error: 'нужен адрес, например https://storage.yandexcloud.net' }).optional(),
  ),
  BACKUP_S3_REGION: text,
  BACKUP_S3_ACCESS_KEY_ID: text,
  BACKUP_S3_SECRET_ACCESS_KEY: text,
}
const BackupEnv = z.object(backupEnv)

export interface BackupSettings {
  /** Null when no destination for backups is set. */
  to: { folder: string } | { s3: S3Settings } | null
  keep: number
}

/** Keys and address of the bucket are those of the files unless backups have their own. */
export function readBackup(
  env: z.infer<typeof BackupEnv>,
  files: S3Settings | null,
): { settings: BackupSettings; problems: string[] } {
  const { BACKUP_TO: to, BACKUP_KEEP: keep } = env
  if (!to?.startsWith('s3://')) return { settings: { to: to ? { folder: resolve(to) } : null, keep }, problems: [] }
  const [bucket = '', ...folders] = to.slice('s3://'.length).split('/').filter(Boolean)
  const s3 = {
    endpoint: env.BACKUP_S3_ENDPOINT ?? files?.endpoint,
    region: env.BACKUP_S3_REGION ?? files?.region,
    accessKeyId: env.BACKUP_S3_ACCESS_KEY_ID ?? files?.accessKeyId,
    secretAccessKey: env.BACKUP_S3_SECRET_ACCESS_KEY ?? files?.secretAccessKey,
  }
  const { endpoint, region, accessKeyId, secretAccessKey } = s3
  const settings = { bucket, prefix: folders.join('/') }
  const isSame = files?.bucket === bucket && files.endpoint === endpoint && files.prefix === settings.prefix
  if (isSame)
    return problem(keep, 'BACKUP_TO: копии нельзя складывать туда же, где файлы, нужна другая корзина или папка')
  if (!endpoint || !region || !accessKeyId || !secretAccessKey)
    return problem(keep, 'BACKUP_TO: для корзины нужны BACKUP_S3_ENDPOINT, BACKUP_S3_REGION и ключи (или S3_…)')
  return {
    settings: { to: { s3: { ...settings, endpoint, region, accessKeyId, secretAccessKey } }, keep },
    problems: [],
  }
}

const problem = (keep: number, text: string) => ({ settings: { to: null, keep }, problems: [text] })
