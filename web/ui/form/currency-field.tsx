import type { ChangeEvent } from 'react'
import { SelectField } from './select-field.tsx'

const names: Record<string, string> = {
  BYN: 'BYN, бел. рубль',
  RUB: 'RUB, рубль',
  USD: 'USD, доллар',
  EUR: 'EUR, евро',
  KZT: 'KZT, тенге',
}

interface CurrencyFieldProps {
  label?: string
  name: string
  value: string
  error: string | null
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void
}

/** The usual currencies and the current one. */
export function CurrencyField({ label = 'Валюта', value, ...rest }: CurrencyFieldProps) {
  const options = Object.entries({ [value]: value, ...names }).map(([code, text]) => ({ value: code, label: text }))
  return <SelectField label={label} value={value} options={options} {...rest} />
}
