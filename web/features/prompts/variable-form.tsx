import { type ReactNode, useMemo, useRef, useState } from 'react'
import {
  fillPrompt,
  initialValues,
  type PromptPart,
  parsePrompt,
  type Values,
  type Variable,
  valueProblem,
  valueText,
} from '#contract/prompt-variables.ts'
import { classNames } from '#web/lib/class-names.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'

interface VariableFormProps {
  content: string
  /** Called by Enter or by the submit button among `actions`. */
  onFill: (text: string) => void
  /** Buttons under the form. `fill` returns the text, or null and shows what is missing. */
  actions: (fill: () => string | null) => ReactNode
  /** In a dialog the buttons stay visible under a long form. */
  inDialog?: boolean
}

export function VariableForm({ content, onFill, actions, inDialog = false }: VariableFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { parts, variables, values, given, change, problemOf, fill } = useVariables(content)

  function fillOrShow(): string | null {
    const text = fill()
    // The invalid field is marked only after the next render.
    if (text === null) requestAnimationFrame(() => firstInvalid(form.current)?.focus())
    return text
  }

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        const text = fillOrShow()
        if (text !== null) onFill(text)
      }}
    >
      {variables.map((variable) => (
        <VariableField
          key={variable.key}
          variable={variable}
          value={given(variable)}
          error={problemOf(variable)}
          onChange={(value) => change(variable.key, value)}
        />
      ))}
      <section aria-label="Готовый текст">
        <h3 className="text-sm font-medium">Готовый текст</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
        <div tabIndex={0} className="mt-1.5 max-h-64 overflow-y-auto rounded-md border bg-panel px-3 py-2.5">
          <PromptPreview parts={parts} variables={variables} values={values} />
        </div>
      </section>
      <div
        className={classNames(
          'flex flex-wrap justify-end gap-2',
          inDialog && '-mx-5 -mb-5 sticky -bottom-5 border-t bg-surface px-5 py-4',
        )}
      >
        {actions(fillOrShow)}
      </div>
    </form>
  )
}

function firstInvalid(form: HTMLFormElement | null): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>('[aria-invalid="true"]')
}

function useVariables(content: string) {
  const { parts, variables } = useMemo(() => parsePrompt(content), [content])
  const [values, setValues] = useState(() => initialValues(variables, today()))
  const [isTried, setTried] = useState(false)
  const given = ({ key }: Variable) => values.get(key) ?? ''

  return {
    parts,
    variables,
    values,
    given,
    change: (key: string, value: string) => setValues((before) => new Map(before).set(key, value)),
    /** Null until the first submit. */
    problemOf: (variable: Variable) => (isTried ? valueProblem(variable, given(variable)) : null),
    fill: (): string | null => {
      setTried(true)
      const isWhole = variables.every((variable) => valueProblem(variable, given(variable)) === null)
      return isWhole ? fillPrompt(content, values) : null
    },
  }
}

/** Today in the local time zone, as 2026-12-31. */
function today(): string {
  return new Date().toLocaleDateString('sv')
}

interface VariableFieldProps {
  variable: Variable
  value: string
  error: string | null
  onChange: (value: string) => void
}

function VariableField({ variable: { name, type, options, initial }, value, error, onChange }: VariableFieldProps) {
  const shared = {
    label: capitalised(name),
    error,
    hint: initial === '' && !error ? 'Можно не заполнять' : null,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (type === 'текст') return <TextArea {...shared} rows={4} />
  if (type === 'выбор')
    return <SelectField {...shared} options={options.map((option) => ({ value: option, label: option }))} />
  if (type === 'дата') return <TextField {...shared} type="date" />
  return <TextField {...shared} autoComplete="off" inputMode={type === 'число' ? 'decimal' : undefined} />
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

interface PromptPreviewProps {
  parts: readonly PromptPart[]
  variables: readonly Variable[]
  /** The values entered so far; without them the variable names are shown. */
  values?: Values
}

function PromptPreview({ parts, variables, values }: PromptPreviewProps) {
  return (
    <p className="whitespace-pre-wrap text-[15px] wrap-anywhere">
      {parts.map((part, index) =>
        part.type === 'text' ? (
          part.text
        ) : (
          <Filled
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, only their position
            key={index}
            variable={variables.find(({ key }) => key === part.key)}
            values={values}
            before={textOf(parts[index - 1])}
          />
        ),
      )}
    </p>
  )
}

const textOf = (part: PromptPart | undefined) => (part?.type === 'text' ? part.text : '')

interface FilledProps {
  variable: Variable | undefined
  values: Values | undefined
  before: string
}

function Filled({ variable, values, before }: FilledProps) {
  if (!variable) return null
  const text = values ? valueText(variable.type, values.get(variable.key) ?? '') : ''
  if (text !== '') return <mark className="rounded-xs bg-accent-soft px-0.5 text-ink">{text}</mark>
  if (values && variable.initial === '') return null
  // «Компания: компания» would only repeat what the text says.
  const isNamed = before.trimEnd().toLowerCase().endsWith(`${variable.name.toLowerCase()}:`)
  return (
    <span className="rounded-xs border border-accent-ink/40 border-dashed px-1 text-accent-ink">
      {isNamed ? '…' : variable.name}
    </span>
  )
}
