import { csvHead, csvLine } from '#contract/csv.ts'

export function csvHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'no-store',
  }
}

export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null>

/** A CSV file streamed page by page, so that only one page is in memory. */
export async function csvResponse<Row>(
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncGenerator<Row[], void>,
): Promise<Response> {
  // The first page is read before the response starts, so that a rejection is still an ordinary response.
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

export function inMajorUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat('ru', { style: 'currency', currency }).resolvedOptions()
  return amount / 10 ** (format.maximumFractionDigits ?? 2)
}
