import { csvHead, csvHeaders, csvLine } from './csv.ts'

export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null>

/** A spreadsheet sent page by page as fast as it is read: however long it is, only one page is in memory. */
export async function csvResponse<Row>(
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncGenerator<Row[], void>,
): Promise<Response> {
  // The first page is read before the answer begins: a refusal is still an ordinary answer.
  const first = await pages.next()
  const lines = linesOf(columns, first.value ?? [], pages)
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), { headers: csvHeaders(name) })
}

async function* linesOf<Row>(
  columns: CsvColumns<Row>,
  first: Row[],
  rest: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  const lineOf = (row: Row) => csvLine(Object.values(columns).map((cell) => cell(row)))
  yield csvHead(Object.keys(columns)) + first.map(lineOf).join('')
  for await (const page of rest) yield page.map(lineOf).join('')
}

/** Money comes in minor units; a spreadsheet counts in whole ones. */
export function inMajorUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat('ru', { style: 'currency', currency }).resolvedOptions()
  return amount / 10 ** (format.maximumFractionDigits ?? 2)
}
