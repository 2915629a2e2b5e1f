import type { ApiKey } from '#contract/api-keys.ts'
import { formatDate, formatDateTime, formatNumber, plural } from '#web/lib/format.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

/** «sym-Ab3d…x9Qz» */
export const shownKey = ({ prefix, lastFour }: Pick<ApiKey, 'prefix' | 'lastFour'>) => `${prefix}…${lastFour}`

const SOON_MS = 7 * 24 * 60 * 60_000

interface KeyState {
  label: string
  tone: BadgeTone
}

/** Null for a key that works and does not expire soon. */
export function keyState({ endedAt, endedByAdmin, expiresAt }: ApiKey, now = Date.now()): KeyState | null {
  if (endedAt) return { label: endedByAdmin ? 'отключён администратором' : 'отключён', tone: 'neutral' }
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now
  if (left <= 0) return { label: 'срок истёк', tone: 'danger' }
  return left <= SOON_MS ? { label: `до ${formatDate(expiresAt ?? '')}`, tone: 'warning' } : null
}

/** What limits a key, in short sentences. */
export function keyFacts(key: ApiKey): string[] {
  const { models, capDay, capMonth, spentToday, spentMonth, addresses, maskPersonal, expiresAt } = key
  return [
    capDay === null ? '' : `за день ${formatNumber(spentToday)} из ${formatNumber(capDay)}`,
    capMonth === null ? '' : `за месяц ${formatNumber(spentMonth)} из ${formatNumber(capMonth)}`,
    capDay === null && capMonth === null ? `за месяц потрачено ${formatNumber(spentMonth)}` : '',
    models === null ? '' : `${models.length} ${plural(models.length, 'модель', 'модели', 'моделей')}`,
    addresses.length === 0
      ? ''
      : `только с ${addresses.length} ${plural(addresses.length, 'адреса', 'адресов', 'адресов')}`,
    maskPersonal ? 'личные данные скрыты' : '',
    expiresAt === null || key.endedAt ? '' : `до ${formatDate(expiresAt)}`,
  ].filter(Boolean)
}

export function lastUse({ lastUsedAt, lastUsedFrom, createdAt }: ApiKey): string {
  if (!lastUsedAt) return `создан ${formatDateTime(createdAt)}, ещё не использован`
  return `последний раз ${formatDateTime(lastUsedAt)}${lastUsedFrom ? ` с ${lastUsedFrom}` : ''}`
}
