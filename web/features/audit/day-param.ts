import type { Param } from '#web/lib/url-state.ts'

/** A day like `2026-11-15`, or null for none. */
export const dayParam: Param<string | null> = {
  read: (text) => (text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null),
  write: (day) => day,
}
