import { type Citations, type CitedPart, citedParts, useCitations } from './citations.ts'

/** A text with numbers in brackets: each that stands for something is a button. */
export function CitedText({ text }: { text: string }) {
  const citations = useCitations()
  if (!citations) return text
  return citedParts(text).map((piece, i) => renderPiece(piece, i, citations))
}

function renderPiece(piece: CitedPart, key: number, { name, open }: Citations) {
  const known = 'numbers' in piece ? piece.numbers.filter((n) => name(n) !== null) : []
  if (known.length === 0) return piece.text
  return (
    <span key={key} className="citations">
      {known.map((n) => (
        <button
          key={n}
          type="button"
          className="citation"
          aria-label={`Источник ${n}: ${name(n)}`}
          title={name(n) ?? undefined}
          onClick={() => open(n)}
        >
          {n}
        </button>
      ))}
    </span>
  )
}
