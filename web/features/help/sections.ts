import type { HelpEntry } from '#contract/help.ts'

export interface HelpSection {
  title: string
  pages: HelpEntry[]
}

/** The contents by section, in the order they come in. */
export function bySection(entries: readonly HelpEntry[]): HelpSection[] {
  const sections = new Map<string, HelpEntry[]>()
  for (const entry of entries) sections.set(entry.section, [...(sections.get(entry.section) ?? []), entry])
  return [...sections].map(([title, pages]) => ({ title, pages }))
}
