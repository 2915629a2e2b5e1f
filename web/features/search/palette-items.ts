import type { IconComponent } from '#web/ui/icons.ts'
import type { Findable } from './ranking.ts'

export interface Command extends Findable {
  id: string
  Icon: IconComponent
  /** The section it belongs to, or its keyboard shortcut. */
  note?: string
  run: () => void
}

interface TextPart {
  text: string
  hit: boolean
}

export interface PaletteItem {
  id: string
  Icon: IconComponent
  /** Shown instead of the icon: an emoji or a data URL. */
  emblem?: string | undefined
  title: TextPart[]
  /** The found text with the matches marked. */
  fragment: TextPart[]
  note: string
  run: () => void
}

export interface PaletteSection {
  title: string
  items: PaletteItem[]
}

export const plain = (text: string): TextPart[] => [{ text, hit: false }]

/** The item that a key moves to from the active one, across all sections. */
export function itemAfterKey(items: PaletteItem[], activeId: string | undefined, key: string): PaletteItem | undefined {
  const now = items.findIndex(({ id }) => id === activeId)
  if (key === 'ArrowDown') return items[(now + 1) % items.length]
  if (key === 'ArrowUp') return items.at(now <= 0 ? -1 : now - 1)
  if (key === 'Home') return items[0]
  return key === 'End' ? items.at(-1) : undefined
}
