import { isDiskFull } from '#server/lib/errors.ts'
import { printedError } from '#server/lib/safe-error.ts'
import { StorageError } from '#server/storage/storage.ts'

const DISK =
  'На диске кончилось место. Освободите его там, где лежат копии, база или временные файлы (TMPDIR), и повторите: недописанное удалится само.'
const POSTGRES: Record<string, string> = {
  ECONNREFUSED: 'она не отвечает по этому адресу',
  ENOTFOUND: 'такого адреса нет',
  ETIMEDOUT: 'она не отвечает',
  '28P01': 'имя или пароль не приняты',
  '28000': 'имя или пароль не приняты',
  '3D000': 'такой базы нет, создайте её',
  '42501': 'у пользователя базы нет прав, нужен её владелец',
  '57P01': 'соединение прервано',
  '57P02': 'соединение прервано',
  '57P03': 'она запускается или останавливается',
  ECONNRESET: 'соединение прервано',
}
/** Errors of the driver without a code. */
const LOST_CONNECTION = /^Connection terminated|connection error and is not queryable|timeout exceeded when trying/

/** What the operator reads when a command fails. Our own errors are sentences already. */
export function sentenceFor(error: unknown): string {
  if (isDiskFull(error)) return DISK
  if (!(error instanceof Error)) return String(error)
  if (error instanceof StorageError)
    return `Хранилище S3 отказало: ${error.message}. Проверьте адрес, корзину и ключи (S3_… и BACKUP_S3_…) и повторите: сделанное не пропадёт.`
  const { code, cause } = error as NodeJS.ErrnoException
  if (code && POSTGRES[code]) return `База недоступна: ${POSTGRES[code]} (${error.message}).`
  if (LOST_CONNECTION.test(error.message)) return `База недоступна: соединение прервано (${error.message}).`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `Нет прав: ${error.message}. Запускайте команду от того же пользователя, что и сервер.`
  if (/[а-яё]/i.test(error.message)) return error.message
  if (cause instanceof Error) return sentenceFor(cause)
  return `Не получилось: ${printedError(error)}`
}
