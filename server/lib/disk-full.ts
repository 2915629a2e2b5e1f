const CODES = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether a disk without space is behind it: ours, or that of the database (53100). */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && CODES.has(String(error.code))) return true
  return /no space left on device/i.test(error.message) || isDiskFull(error.cause)
}

export const DISK_FULL_AT_START =
  'На диске кончилось место, сервер не запущен. Освободите место там, где лежат DATA_DIR и база, и запустите снова: данные целы.'

export const DISK_FULL =
  'На сервере кончилось место на диске, поэтому сохранить не удалось. Попробуйте позже: как только место освободят, всё заработает само.'
