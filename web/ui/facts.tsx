import type { ReactNode } from 'react'

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values in two columns; facts without a value are left out. */
export function Facts({ facts }: { facts: (Fact | false | null)[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2 text-[15px]">
      {facts.map(
        (fact) =>
          fact &&
          fact.value !== null && (
            <div key={fact.name} className="contents">
              <dt className="text-muted">{fact.name}</dt>
              <dd className="min-w-0 wrap-anywhere">{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
