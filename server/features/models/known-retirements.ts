/** Announced retirements of widely used models, for providers whose model lists do not name them. */

interface Retirement {
  /** The provider's names, without the vendor before the slash. */
  models: string[]
  on: string
  successor: string
}

const retirements: Retirement[] = [
  { models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini'], on: '2027-01-14', successor: 'gpt-6-luna' },
  { models: ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'o3', 'o3-pro'], on: '2026-12-11', successor: 'gpt-5.6-sol' },
  {
    models: ['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo', 'gpt-4.1-nano', 'o1', 'o3-mini', 'o4-mini'],
    on: '2026-10-23',
    successor: 'gpt-6-luna',
  },
  {
    models: ['gpt-image-1-mini', 'gpt-image-1.5', 'chatgpt-image-latest'],
    on: '2026-12-01',
    successor: 'gpt-image-2.5-sunburst',
  },
  { models: ['gpt-image-1'], on: '2026-10-23', successor: 'gpt-image-2.5-sunburst' },
  {
    models: ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize'],
    on: '2027-02-26',
    successor: 'gpt-transcribe',
  },
]

const withoutPrefix = (providerModel: string) => providerModel.split('/').at(-1) ?? providerModel

export function knownRetirement(providerModel: string): { on: string; successor: string } | null {
  return retirements.find(({ models }) => models.includes(withoutPrefix(providerModel))) ?? null
}

export const isSameModel = (a: string, b: string) => withoutPrefix(a) === withoutPrefix(b)

const NOTICE_DAYS = [14, 60] as const
export type NoticeStep = (typeof NOTICE_DAYS)[number]

const DAY_MS = 86_400_000

/** Whole days from one day (`2026-11-16`) to another; negative when it is past. */
export function daysUntil(today: string, day: string): number {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / DAY_MS)
}

/** Which notice is due: 60 days before, 14 days before, or none. */
export function noticeStep(today: string, retiresOn: string): NoticeStep | null {
  const days = daysUntil(today, retiresOn)
  return days <= 0 ? null : (NOTICE_DAYS.find((step) => days <= step) ?? null)
}

/** True from the last day on, so that people are moved before the provider rejects requests. */
export const isRetired = (today: string, retiresOn: string) => daysUntil(today, retiresOn) <= 0
