import { formatDay, formatNumber } from '#web/lib/format.ts'
import type { DayUse } from './usage-days.ts'

export function UsageTable({ days }: { days: DayUse[] }) {
  const spent = days.filter(({ symbols }) => symbols > 0).reverse()
  if (spent.length === 0) return null
  return (
    <details>
      <summary className="text-sm text-accent-ink underline underline-offset-2">Показать таблицей</summary>
      <table className="figures mt-3 w-full text-sm">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="border-b py-1.5 font-normal">
              День
            </th>
            <th scope="col" className="border-b py-1.5 text-right font-normal">
              Символов
            </th>
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>td]:border-0">
          {spent.map(({ day, symbols }) => (
            <tr key={day}>
              <td className="border-b py-1.5">{formatDay(day)}</td>
              <td className="border-b py-1.5 text-right">{formatNumber(symbols)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
