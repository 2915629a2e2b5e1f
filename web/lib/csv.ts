import { type CsvCell, csvHead, csvLine } from '#contract/csv.ts'
import { saveBlob } from './save-file.ts'

export const csvText = (head: string[], rows: CsvCell[][]) => csvHead(head) + rows.map(csvLine).join('')

export function saveCsv(name: string, text: string): void {
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), name)
}
