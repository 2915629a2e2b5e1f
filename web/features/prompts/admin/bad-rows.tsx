import type { BadRow, ImportFormat } from '#contract/prompts-admin.ts'

interface BadRowsProps {
  rows: BadRow[]
  /** The number is a line in CSV and a record in JSON. */
  format: ImportFormat | null
}

export function BadRows({ rows, format }: BadRowsProps) {
  return (
    <table className="w-full border-collapse text-left text-sm">
      <thead className="text-muted">
        <tr className="border-b">
          <th scope="col" className="py-1.5 pr-3 font-medium">
            {format === 'json' ? 'Запись' : 'Строка'}
          </th>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Название
          </th>
          <th scope="col" className="py-1.5 font-medium">
            Что не так
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, title, reason }) => (
          <tr key={`${line}-${reason}`} className="border-b align-top last:border-0">
            <td className="figures py-2 pr-3">{line}</td>
            <td className="max-w-48 py-2 pr-3 wrap-anywhere">
              <span className="line-clamp-2">{title || '—'}</span>
            </td>
            <td className="py-2 text-danger">{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
