import type { Definition, FootnoteDefinition, ListItem, RootContent } from 'mdast'
import type { CutText } from './long-paragraphs.ts'

/** A top-level block: a paragraph, a list, a table. It stays the same object as long as its content does. */
export interface Block {
  node: RootContent
  /** Where its lines begin and end in the text. */
  start: number
  end: number
}

/** A text split into blocks. Blocks before `tailStart` are finished: no text to come can change them. */
export interface SplitText {
  /** The text as it came, and how far its overlong paragraphs were cut. */
  cut: CutText
  text: string
  isStreaming: boolean
  blocks: readonly Block[]
  /** How many blocks are finished. */
  finished: number
  tailStart: number
  /** Definitions in the finished blocks; in all blocks once the stream has ended. */
  labels: Labels
  /** Finished items of the list that the tail continues. */
  held: HeldList | null
  /** The code fence that is open at the end of the text. */
  fence: OpenFence | null
  /** A block of code or a formula is open at the end of the text, at whatever depth. */
  isBlockOpen: boolean
  /** The tail was parsed exactly as written: nothing in it had to be closed or left out. */
  isPlain: boolean
}

/** Definitions of links and footnotes, by the identifiers that the parser gives them. */
export interface Labels {
  links: ReadonlyMap<string, Definition>
  notes: ReadonlyMap<string, FootnoteDefinition>
}

export const NO_LABELS: Labels = { links: new Map(), notes: new Map() }

/** A node with its place in the piece of text that was parsed. */
export interface PlacedNode {
  node: RootContent
  /** From the beginning of its first line, indentation included. */
  start: number
  end: number
  /** How much the parser's offsets inside the node exceed the offsets in the piece. */
  shift: number
}

/** A fenced code block that is not closed yet: new lines are appended without parsing it again. */
export interface OpenFence {
  indent: number
  /** The opening fence; the same number of its characters, or more, closes the code. */
  fence: string
  /** The complete lines of the code, without the one that is being written. */
  settled: string
  lineStart: number
}

/** The finished items of a list that still grows: only its last two items are parsed again. */
export interface HeldList {
  /** Where the list begins in the text. */
  start: number
  /** The number of its first item. */
  first: number | null | undefined
  items: readonly ListItem[]
  isSpread: boolean
}
