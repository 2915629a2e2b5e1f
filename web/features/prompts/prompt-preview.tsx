import { type Piece, type Values, type Variable, valueText } from '#contract/prompt-variables.ts'

interface PromptPreviewProps {
  parts: readonly Piece[]
  variables: readonly Variable[]
  /** The values entered so far; without them the variable names are shown. */
  values?: Values
}

/** The prompt text with highlighted variables, filled or not. */
export function PromptPreview({ parts, variables, values }: PromptPreviewProps) {
  return (
    <p className="whitespace-pre-wrap text-[15px] wrap-anywhere">
      {parts.map((part, place) =>
        part.type === 'text' ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, only their position
          <Filled key={place} variable={variables.find(({ key }) => key === part.key)} values={values} />
        ),
      )}
    </p>
  )
}

function Filled({ variable, values }: { variable: Variable | undefined; values: Values | undefined }) {
  if (!variable) return null
  const text = values ? valueText(variable.type, values.get(variable.key) ?? '') : ''
  if (text !== '') return <mark className="rounded-xs bg-accent-soft px-0.5 text-ink">{text}</mark>
  if (values && variable.initial === '') return null
  return (
    <span className="rounded-xs border border-accent-ink/40 border-dashed px-1 text-accent-ink">{variable.name}</span>
  )
}
