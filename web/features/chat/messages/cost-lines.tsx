import type { PriceTerm } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'
import { costLines, lineFigure } from './answer-cost.ts'

interface CostLinesProps {
  message: Pick<Message, 'parts' | 'input' | 'output' | 'thought' | 'web'>
  terms: readonly PriceTerm[]
}

export function CostLines({ message, terms }: CostLinesProps) {
  return (
    <dl className="figures flex flex-col gap-1">
      {costLines(message, terms).map((line) => (
        <div key={line.name} className="flex justify-between gap-4">
          <dt className="text-muted">{line.name}</dt>
          <dd className="text-right">{lineFigure(line)}</dd>
        </div>
      ))}
    </dl>
  )
}
