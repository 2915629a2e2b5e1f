import { Check, Columns3 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Menu } from '#web/ui/menu.tsx'
import { type Column, type ColumnChoice, isChosen } from './column.ts'

interface ColumnChoiceProps<Row> {
  columns: Column<Row>[]
  choice: ColumnChoice
  onChoose: (id: string, isShown: boolean) => void
}

/** Also on phones: the cards show the chosen columns too. */
export function ColumnChoiceMenu<Row>({ columns, choice, onChoose }: ColumnChoiceProps<Row>) {
  const [, ...optional] = columns
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={buttonStyle('ghost', 'sm')}>
          <Columns3 size={16} aria-hidden="true" />
          Столбцы
        </button>
      }
    >
      {optional.map((column) => (
        <DropdownMenu.CheckboxItem
          key={column.id}
          checked={isChosen(column, choice)}
          onCheckedChange={(isShown) => onChoose(column.id, isShown === true)}
          onSelect={(event) => event.preventDefault()}
          className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-[15px] outline-none select-none data-[highlighted]:bg-hover"
        >
          <span className="grid size-5 place-items-center rounded-xs border border-line-strong">
            <DropdownMenu.ItemIndicator>
              <Check size={16} aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </span>
          {column.title}
        </DropdownMenu.CheckboxItem>
      ))}
    </Menu>
  )
}
