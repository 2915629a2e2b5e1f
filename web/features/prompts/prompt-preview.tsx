import { type Piece, type Values, type Variable, valueText } from '#contract/prompt-variables.ts'

interface PromptPreviewProps {
  pieces: readonly Piece[]
  variables: readonly Variable[]
  /** What is filled in so far; nothing shows the names alone. */
  values?: Values
}

/** The text of a prompt with its variables standing out, filled or still to be. */
export function PromptPreview({ pieces, variables, values }: PromptPreviewProps) {
  return (
    <p className="whitespace-pre-wrap text-[15px] wrap-anywhere">
      {pieces.map((piece, place) =>
        piece.type === 'text' ? (
          piece.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
          <Filled key={place} variable={variables.find(({ key }) => key === piece.key)} values={values} />
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
