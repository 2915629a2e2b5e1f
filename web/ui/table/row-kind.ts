import type { ReactNode } from 'react'

/** What a table must know of its rows. */
export interface RowKind<Row> {
  key: (row: Row) => string
  /** What the row is called when it is read aloud. */
  name: (row: Row) => string
  /** Where it leads; or what happens when it is opened. */
  href?: (row: Row) => string
  onOpen?: (row: Row) => void
  /** What can be done with it, at its end. */
  menu?: (row: Row) => ReactNode
  /** Out of use, so it steps back. */
  isDim?: (row: Row) => boolean
}
