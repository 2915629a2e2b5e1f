import type { LucideIcon } from 'lucide-react'
import type { Findable } from './ranking.ts'

/** A page to go to or a thing to do. */
export interface Command extends Findable {
  id: string
  Icon: LucideIcon
  /** Where it belongs, or the keys that do the same. */
  note?: string
  run: () => void
}

export interface Piece {
  text: string
  hit: boolean
}

/** A line of the palette. */
export interface PaletteItem {
  id: string
  Icon: LucideIcon
  title: Piece[]
  /** The text it was found by. */
  fragment: Piece[]
  /** A word at the end of the line. */
  note: string
  run: () => void
}

export interface PaletteSection {
  title: string
  items: PaletteItem[]
}

export const plain = (text: string): Piece[] => [{ text, hit: false }]

/** The line that a key leads to from the active one: over all sections, round and round. */
export function stepTo(items: PaletteItem[], activeId: string | undefined, key: string): PaletteItem | undefined {
  const now = items.findIndex(({ id }) => id === activeId)
  if (key === 'ArrowDown') return items[(now + 1) % items.length]
  if (key === 'ArrowUp') return items.at(now <= 0 ? -1 : now - 1)
  if (key === 'Home') return items[0]
  return key === 'End' ? items.at(-1) : undefined
}
