import { countLimitRejection } from './metrics.ts'

const SLOT_MS = 600_000
const SLOTS_IN_HOUR = 6
const SLOTS_IN_DAY = 144

interface Slot {
  slot: number
  count: number
}

const startedAt = new Date()
const rejections = new Map<string, Slot[]>()
const slotOf = (at: number) => Math.floor(at / SLOT_MS)

/** Counts a rejection for the admin screen and for /metrics, in this process since its start. */
export function noteRejection(name: string, now = Date.now()): void {
  countLimitRejection(name)
  const slot = slotOf(now)
  const slots = (rejections.get(name) ?? []).filter((each) => each.slot > slot - SLOTS_IN_DAY)
  const current = slots.at(-1)
  if (current?.slot === slot) current.count += 1
  else slots.push({ slot, count: 1 })
  rejections.set(name, slots)
}

/** Rejections in the last hour and the last day, in steps of ten minutes. */
export function rejectionsOf(name: string, now = Date.now()): { hour: number; day: number } {
  const slots = rejections.get(name) ?? []
  const last = (many: number) =>
    slots.reduce((sum, { slot, count }) => (slot > slotOf(now) - many ? sum + count : sum), 0)
  return { hour: last(SLOTS_IN_HOUR), day: last(SLOTS_IN_DAY) }
}

export const rejectionsSince = () => startedAt
