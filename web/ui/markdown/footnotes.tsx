import { useReferences } from './references.ts'
import { renderNodes } from './render-node.tsx'

/** The notes under an answer. */
export function Footnotes() {
  const { notes, prefix } = useReferences()
  if (notes.length === 0) return null
  return (
    <section className="footnotes" aria-label="Примечания">
      <ol>
        {notes.map(({ identifier, children }, i) => (
          <li key={identifier} id={`${prefix}${i + 1}`} tabIndex={-1}>
            {renderNodes(children, false)}
          </li>
        ))}
      </ol>
    </section>
  )
}
