import { AwsClient } from 'aws4fetch'

/** Creates the bucket of the files, and the one of backups when it is in the same storage. One that exists stays. */
const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, BACKUP_TO, BACKUP_S3_ENDPOINT } =
  process.env
const aws = new AwsClient({
  accessKeyId: S3_ACCESS_KEY_ID,
  secretAccessKey: S3_SECRET_ACCESS_KEY,
  region: S3_REGION,
  service: 's3',
})
const ofBackups = BACKUP_S3_ENDPOINT ? null : /^s3:\/\/([^/]+)/.exec(BACKUP_TO ?? '')?.[1]
for (const bucket of new Set([S3_BUCKET, ofBackups].filter(Boolean))) {
  const url = `${S3_ENDPOINT}/${bucket}`
  const found = await aws.fetch(url, { method: 'HEAD' })
  if (found.ok) {
    console.log(`Корзина ${bucket} есть.`)
    continue
  }
  const made = await aws.fetch(url, { method: 'PUT' })
  if (!made.ok) {
    console.error(`Корзину ${bucket} создать не удалось: ${made.status} ${await made.text()}`)
    process.exit(1)
  }
  console.log(`Корзина ${bucket} создана.`)
}
