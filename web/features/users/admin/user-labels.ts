import type { Order } from '#contract/payments.ts'
import { socialProviders } from '#contract/social-providers.ts'
import type { GiftRejection } from '#contract/users.ts'
import type { UserCard } from '#contract/users-admin.ts'
import { formatDate, formatDay, formatNumber, plural } from '#web/lib/format.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The last visit, to the hour: it is stored no more precisely. */
export function lastSeenLabel(iso: string, now = Date.now()): string {
  const ago = now - Date.parse(iso)
  if (ago < HOUR_MS) return 'только что'
  if (ago < DAY_MS) {
    const hours = Math.floor(ago / HOUR_MS)
    return `${hours}\u00a0${plural(hours, 'час', 'часа', 'часов')} назад`
  }
  return formatDay(iso, new Date(now))
}

const units = ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ']

export function formatSize(bytes: number): string {
  const step = bytes > 0 ? Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1) : 0
  const size = bytes / 1024 ** step
  return `${formatNumber(Number(size.toFixed(size < 10 && step > 0 ? 1 : 0)))}\u00a0${units[step]}`
}

export const orderStates: Record<Order['status'], { label: string; tone: BadgeTone }> = {
  pending: { label: 'ждёт оплаты', tone: 'neutral' },
  paid: { label: 'оплачен', tone: 'success' },
  failed: { label: 'не прошёл', tone: 'danger' },
  expired: { label: 'не оплачен', tone: 'neutral' },
  refunded: { label: 'возвращён', tone: 'warning' },
  charged_back: { label: 'отозван банком', tone: 'danger' },
}

const providerNames: Record<string, string> = { credential: 'пароль', ...socialProviders }

/** A sign-in link by email always works; the rest are linked methods. */
export function signInLabel(providers: UserCard['providers']): string {
  const names = providers.map(({ providerId }) => providerNames[providerId] ?? providerId)
  return ['письмо', ...new Set(names)].join(', ')
}

type Subscription = UserCard['subscriptions'][number]

export function subscriptionLabel({ state, activeTo, renewAt, cancelRequestedAt }: Subscription, now = Date.now()) {
  if (!activeTo) return 'ещё не оплачена'
  const isOver = Date.parse(activeTo) <= now
  if (cancelRequestedAt || endedStates.has(state)) {
    const why = (!cancelRequestedAt && endLabels[state]) || ''
    return isOver ? `закончилась ${formatDate(activeTo)}` : `не продлится${why}, оплачена до ${formatDate(activeTo)}`
  }
  if (state === 'failing' || (renewAt && Date.parse(renewAt) <= now)) return 'платёж за продление не прошёл'
  return renewAt ? `продлится ${formatDate(renewAt)}` : `оплачена до ${formatDate(activeTo)}`
}
const endedStates = new Set(['canceled', 'failed', 'error', 'expired', 'unsaved', 'once'])
const endLabels: Record<string, string> = {
  unsaved: ' (способ оплаты не сохранился)',
  once: ' (куплена на один период)',
}

export const personName = ({ name, email }: Pick<UserCard, 'name' | 'email'>) => name || email

export const rejectionLabels: Record<GiftRejection, string> = {
  repeated: 'этот человек их уже получал',
  disposable: 'временная почта',
  network: 'много новых людей из одной сети за день',
}

/** Explains the rejection and how the symbols may still be granted. */
export const rejectionNotes: Record<GiftRejection, string> = {
  repeated: 'Узнали по почте или по аккаунту другого сервиса, в том числе после удаления.',
  disposable: 'Если домен хороший, добавьте его в GIFT_ALLOW_DOMAINS: символы начислятся при следующем входе.',
  network: 'Начислятся сами, если человек войдёт в другой день.',
}
