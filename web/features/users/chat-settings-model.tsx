import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { Model } from '#contract/models.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'

interface ChatSettingsModelProps {
  modelId: string | null
  onChange: (modelId: string) => void
}

export function ChatSettingsModel({ modelId, onChange }: ChatSettingsModelProps) {
  const id = useId()
  const { data: models = [] } = useQuery(modelsQuery)
  const choices = models
    .filter(({ kind, hidden }) => kind === 'text' && !hidden)
    .sort((a, b) => a.position - b.position)
  const chosen = choices.find((model) => model.id === modelId)
  const hint = chosen ? about(chosen) : 'Новый чат начнётся с первой модели списка.'
  return (
    <Field id={id} label="Модель для новых чатов" hint={hint}>
      <div className="relative">
        <select
          {...describeControl(id, hint, null)}
          value={chosen?.id ?? ''}
          disabled={choices.length === 0}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(controlStyle, 'h-11 appearance-none pr-10')}
        >
          {!chosen && <option value="">Не выбрана</option>}
          {choices.map((model) => (
            <option key={model.id} value={model.id}>
              {model.name}
            </option>
          ))}
        </select>
        <ChevronDown size={18} aria-hidden="true" className="pointer-events-none absolute top-3 right-3 text-muted" />
      </div>
    </Field>
  )
}

function about({ description, inputRate, outputRate }: Model): string {
  const rates = ratesText(inputRate, outputRate)
  return description === '' ? rates : `${description.replace(/[.\s]*$/, '')}. ${rates}`
}

function ratesText(input: number, output: number): string {
  if (input !== output) return `Символы вопроса считаются ×${formatNumber(input)}, ответа ×${formatNumber(output)}.`
  return input === 1 ? 'Символы считаются один к одному.' : `Символы считаются ×${formatNumber(input)}.`
}
