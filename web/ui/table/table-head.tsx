import { classNames } from '#web/lib/class-names.ts'
import type { DataTableProps } from './data-table.tsx'
import { HeaderCell, headStyle } from './header-cell.tsx'
import { howMany } from './selection.ts'
import { TickBox } from './tick-box.tsx'

type TableHeadProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rows' | 'kind' | 'sort' | 'selection' | 'onMove'>

export function TableHead<Row>({ columns, rows = [], kind, sort, selection, onMove }: TableHeadProps<Row>) {
  return (
    <thead className="max-sm:hidden">
      <tr>
        {onMove && (
          <th scope="col" className={classNames(headStyle, 'w-0 pr-0')}>
            <span className="sr-only">Порядок</span>
          </th>
        )}
        {selection && (
          <th scope="col" className={classNames(headStyle, 'w-0 pr-0')}>
            <TickBox
              label="Выбрать все строки"
              state={howMany(selection.selection, rows.map(kind.key))}
              onTick={() => selection.tickAll()}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} />
        ))}
        {kind.menu && (
          <th scope="col" className={headStyle}>
            <span className="sr-only">Действия</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
