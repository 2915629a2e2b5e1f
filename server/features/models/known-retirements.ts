import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { contentPath } from '#server/lib/content.ts'

/** Announced retirements of widely used models, for providers whose model lists do not name them. */
const retirements = z
  .array(
    z.object({
      /** The provider's names, without the vendor before the slash. */
      models: z.array(z.string()),
      on: z.string(),
      successor: z.string(),
    }),
  )
  .parse(JSON.parse(readFileSync(contentPath('models/retirements.json'), 'utf8')))

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
