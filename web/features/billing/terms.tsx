import type { ReactNode } from 'react'

interface TermsProps {
  /** Null hides the term. */
  terms: [name: string, value: ReactNode][]
}

export function Terms({ terms }: TermsProps) {
  return (
    <dl className="figures grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {terms
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name} className="sm:contents">
            <dt className="text-sm text-muted sm:text-base">{name}</dt>
            <dd className="text-pretty">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
