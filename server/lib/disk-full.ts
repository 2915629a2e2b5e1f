const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100'])
/** ENOSPC and EDQUOT in the numbering of the embedded database, in errors without a message. */
const ERRNOS = new Set<unknown>([51, 19])

/** Whether a full disk caused the error: ours, or the database's (53100). */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, code, errno, message, cause } = error as Partial<NodeJS.ErrnoException>
  if (CODES.has(code) || (name === 'ErrnoError' && ERRNOS.has(errno))) return true
  return /no space left on device/i.test(message ?? '') || isDiskFull(cause)
}

export const DISK_FULL_AT_START =
  'На диске кончилось место, сервер не запущен. Освободите место там, где лежат DATA_DIR и база, и запустите снова: данные целы.'

export const DISK_FULL =
  'На сервере кончилось место на диске, поэтому сохранить не удалось. Попробуйте позже: как только место освободят, всё заработает само.'
