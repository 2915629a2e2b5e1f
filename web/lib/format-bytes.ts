import { once } from './once.ts'

const number = once(() => new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 1 }))

/** «1,4 МБ» */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes}\u00a0Б`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)}\u00a0КБ`
  const megabytes = kilobytes / 1024
  return megabytes < 1024 ? `${number().format(megabytes)}\u00a0МБ` : `${number().format(megabytes / 1024)}\u00a0ГБ`
}
