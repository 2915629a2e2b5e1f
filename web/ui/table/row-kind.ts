import type { ReactNode } from 'react'

/** How a table handles its rows. */
export interface RowKind<Row> {
  key: (row: Row) => string
  /** The name of the row for screen readers. */
  name: (row: Row) => string
  /** A row opens by a link or by a callback. */
  href?: (row: Row) => string
  onOpen?: (row: Row) => void
  /** The action menu at the end of the row. */
  menu?: (row: Row) => ReactNode
  /** Shown in grey, as for archived rows. */
  isDim?: (row: Row) => boolean
}
