import { Popover } from 'radix-ui'
import { type FormEvent, useContext, useState } from 'react'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { OpenModalContext } from '#web/ui/open-modal.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { chipStyle } from './filter-chip.tsx'

interface RangeChipProps {
  label: string
  range: Range
  type: RangeType
  onChange: (range: Range) => void
}

/** A range filter; either end may be open. */
export function RangeChip({ label, range, type, onChange }: RangeChipProps) {
  const words = rangeLabel(label, range, type)
  const layer = useContext(OpenModalContext)
  const [isOpen, setIsOpen] = useState(false)
  const choose = (next: Range) => {
    onChange(next)
    setIsOpen(false)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger type="button" className={chipStyle(words !== null)}>
        {words ?? label}
      </Popover.Trigger>
      <Popover.Portal container={layer}>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          className="z-50 w-72 rounded-md border bg-surface p-4 shadow-float data-[state=open]:animate-[appear_120ms_ease-out]"
        >
          <RangeForm range={range} type={type} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface RangeFormProps {
  range: Range
  type: RangeType
  onChoose: (range: Range) => void
}

function RangeForm({ range, type, onChoose }: RangeFormProps) {
  const [from, setFrom] = useState(range.from)
  const [to, setTo] = useState(range.to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChoose({ from: readEnd(from, type), to: readEnd(to, type) })
  }
  const field = type === 'date' ? { type } : { type: 'text', inputMode: 'decimal' as const, maxLength: 16 }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className={type === 'date' ? 'flex flex-col gap-3' : 'grid grid-cols-2 gap-3'}>
        <TextField
          label={type === 'date' ? 'С' : 'От'}
          {...field}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <TextField
          label={type === 'date' ? 'По' : 'До'}
          {...field}
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <div className="flex justify-end gap-2">
        <Button size="sm" variant="ghost" onClick={() => onChoose({ from: '', to: '' })}>
          Сбросить
        </Button>
        <Button size="sm" variant="primary" type="submit">
          Показать
        </Button>
      </div>
    </form>
  )
}

type RangeType = 'date' | 'number'

/** An open end is an empty string. */
interface Range {
  from: string
  to: string
}

/** «Баланс от 1 000 до 5 000»; null when both ends are open. */
export function rangeLabel(label: string, { from, to }: Range, type: RangeType): string | null {
  if (!from && !to) return null
  const [since, until] = type === 'date' ? ['с', 'по'] : ['от', 'до']
  return [label, from && `${since} ${endLabel(from, type)}`, to && `${until} ${endLabel(to, type)}`]
    .filter(Boolean)
    .join(' ')
}

function endLabel(text: string, type: RangeType): string {
  return type === 'date' ? formatDay(`${text}T12:00:00`) : formatNumber(Number(text))
}

/** Accepts spaces and a decimal comma; an invalid number gives an empty string. */
export function readEnd(text: string, type: RangeType): string {
  if (type === 'date') return text.trim()
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')
  return plain !== '' && Number(plain) >= 0 ? String(Number(plain)) : ''
}
