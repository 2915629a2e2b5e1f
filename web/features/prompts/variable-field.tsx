import type { Variable } from '#contract/prompt-variables.ts'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { SelectField } from './select-field.tsx'

interface VariableFieldProps {
  variable: Variable
  value: string
  error: string | null
  onChange: (value: string) => void
}

export function VariableField({
  variable: { name, type, options, initial },
  value,
  error,
  onChange,
}: VariableFieldProps) {
  const shared = {
    label: capitalised(name),
    error,
    hint: initial === '' && !error ? 'Можно не заполнять' : null,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (type === 'текст') return <TextArea {...shared} rows={4} />
  if (type === 'выбор')
    return (
      <SelectField {...shared}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
    )
  if (type === 'дата') return <TextField {...shared} type="date" />
  return <TextField {...shared} autoComplete="off" inputMode={type === 'число' ? 'decimal' : undefined} />
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
