import type { ThreadRow } from '#contract/threads.ts'
import { formatWhen } from '#web/lib/format.ts'

/** A second line for chats of one name: when they were written in, and how they began. */
export function hintsOf(rows: readonly ThreadRow[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { title } of rows) counts.set(title, (counts.get(title) ?? 0) + 1)
  const twins = rows.filter(({ title }) => (counts.get(title) ?? 0) > 1)
  return new Map(
    twins.map(({ id, updatedAt, firstWords }) => [id, [formatWhen(updatedAt), firstWords].filter(Boolean).join(' · ')]),
  )
}
