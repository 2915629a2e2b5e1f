import type { ReactNode } from 'react'
import { AnswerImage } from './answer-image.tsx'
import { AnswerLink } from './answer-link.tsx'
import { useReferences } from './references.ts'

/** What a name stands for may come later than the name: until then only the text is there. */

export function ReferenceLink({ name, children }: { name: string; children: ReactNode }) {
  const definition = useReferences().labels.links.get(name)
  if (!definition) return children
  return (
    <AnswerLink url={definition.url} title={definition.title}>
      {children}
    </AnswerLink>
  )
}

export function ReferenceImage({ name, alt }: { name: string; alt: string }) {
  const definition = useReferences().labels.links.get(name)
  return definition ? <AnswerImage url={definition.url} alt={alt} title={definition.title} /> : alt
}

export function FootnoteCall({ name }: { name: string }) {
  const { numbers, prefix } = useReferences()
  const number = numbers.get(name)
  if (number === undefined) return null
  return (
    <sup>
      <a href={`#${prefix}${number}`} aria-label={`Примечание ${number}`}>
        {number}
      </a>
    </sup>
  )
}
