import { X } from 'lucide-react'
import { classNames } from '#web/lib/class-names.ts'
import { IconButton } from '#web/ui/button.tsx'

interface RangeFieldsProps {
  /** «Период», «Символов»: what lies between the two. */
  label: string
  type: 'date' | 'number'
  from: string
  to: string
  onChange: (range: { from: string; to: string }) => void
}

const inputStyle =
  'h-full min-w-0 bg-transparent text-sm text-ink outline-none focus-visible:underline focus-visible:underline-offset-4'
const sizes = { date: 'w-[7.6rem]', number: 'figures h-6! w-16 border-b border-line-strong' }

/** From and to in one chip. Numbers are taken when the field is left or Enter pressed: half a number is no filter. */
export function RangeFields({ label, type, from, to, onChange }: RangeFieldsProps) {
  const isOn = from !== '' || to !== ''
  const end = (name: 'from' | 'to', word: string) => {
    const value = name === 'from' ? from : to
    const take = (text: string) => text !== value && onChange({ from, to, [name]: text })
    return (
      <label className="flex h-full items-center gap-1.5">
        <span className="text-muted">{word}</span>
        <input
          key={value}
          type={type}
          inputMode={type === 'number' ? 'decimal' : undefined}
          min={type === 'number' ? 0 : undefined}
          step={type === 'number' ? 'any' : undefined}
          aria-label={`${label}: ${word}`}
          defaultValue={value}
          onBlur={(event) => take(event.target.value)}
          onChange={type === 'date' ? (event) => event.target.value && take(event.target.value) : undefined}
          onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
          className={classNames(inputStyle, sizes[type])}
        />
      </label>
    )
  }
  return (
    <span className="flex min-w-0 items-center">
      <fieldset
        className={classNames(
          'flex h-9 items-center gap-2 rounded-full border bg-surface px-3 text-sm',
          isOn ? 'border-accent-ink bg-accent-soft' : 'border-line-strong',
        )}
      >
        <legend className="sr-only">{label}</legend>
        {type === 'number' && (
          <span aria-hidden="true" className="whitespace-nowrap">
            {label}
          </span>
        )}
        {end('from', type === 'date' ? 'с' : 'от')}
        {end('to', type === 'date' ? 'по' : 'до')}
      </fieldset>
      {isOn && (
        <IconButton
          size="sm"
          label={`Снять отбор: ${label}`}
          icon={<X size={16} aria-hidden="true" />}
          onClick={() => onChange({ from: '', to: '' })}
        />
      )}
    </span>
  )
}
