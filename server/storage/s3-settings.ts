import * as z from 'zod'
import { unlessEmpty } from '#server/lib/env-fields.ts'

const text = unlessEmpty(z.string().trim().optional())

export const s3Env = {
  S3_ENDPOINT: unlessEmpty(
    z.url({ protocol: /^https?$/, error: 'нужен адрес, например https://storage.yandexcloud.net' }).optional(),
  ),
  S3_REGION: text,
  S3_BUCKET: unlessEmpty(
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'нужно имя корзины: 3–63 строчные латинские буквы, цифры, точки, дефисы',
      )
      .optional(),
  ),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_PREFIX: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().replace(/^\/+|\/+$/g, '') || undefined : value),
    z
      .string()
      .regex(
        /^[\w-]+(\/[\w-]+)*$/,
        'нужна папка в корзине: латинские буквы, цифры, дефисы, подчёркивания, например symbol',
      )
      .optional(),
  ),
}
const S3Env = z.object(s3Env)

export interface S3Settings {
  endpoint: string
  region: string
  bucket: string
  /** The folder inside the bucket; empty for the whole bucket. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Reads the S3 settings: all five are required together, the prefix is optional. */
export function readS3(env: z.infer<typeof S3Env>): { settings: S3Settings | null; problems: string[] } {
  const {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_PREFIX: prefix = '',
  } = env
  if (endpoint && region && bucket && accessKeyId && secretAccessKey)
    return { settings: { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }, problems: [] }
  const names = Object.keys(s3Env) as (keyof typeof s3Env)[]
  const missing = names.filter((name) => !env[name] && name !== 'S3_PREFIX')
  const problems =
    missing.length === names.length - 1 && !prefix
      ? []
      : missing.map(
          (name) =>
            `${name}: для файлов в S3 нужны все пять настроек S3_…, а этой нет. Задайте её или уберите остальные`,
        )
  return { settings: null, problems }
}
