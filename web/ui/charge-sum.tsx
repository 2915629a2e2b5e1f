import { type Charge, chargeFormula, chargeLines, lineFigure } from '#web/lib/charge.ts'

/** What a charge consists of and how it was counted; the same in a chat, in the operations and for the admin. */
export function ChargeSum({ charge }: { charge: Charge }) {
  return (
    <div className="figures flex flex-col gap-3">
      <dl className="flex flex-col gap-1">
        {chargeLines(charge).map((line) => (
          <div key={line.name} className="flex justify-between gap-4">
            <dt className="text-muted">{line.name}</dt>
            <dd className="text-right">{lineFigure(line)}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t pt-3 text-sm text-pretty text-muted">{chargeFormula(charge)}</p>
    </div>
  )
}
