import { csvHead, csvLine } from '#contract/csv.ts'

export function csvHeaders(name: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'no-store',
  }
}

export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null>

export const CSV_PAGE = 500

/**
 * A CSV file streamed in pages of `CSV_PAGE` rows, so that only one page is in memory. A page is read by the last row of
 * the page before it.
 */
export async function csvResponse<Row>(
  name: string,
  columns: CsvColumns<Row>,
  readAfter: (last?: Row) => Promise<Row[]>,
): Promise<Response> {
  // The first page is read before the response starts, so that a rejection is still an ordinary response.
  const lines = linesOf(columns, await readAfter(), readAfter)
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), { headers: csvHeaders(name) })
}

async function* linesOf<Row>(columns: CsvColumns<Row>, first: Row[], readAfter: (last?: Row) => Promise<Row[]>) {
  const lineOf = (row: Row) => csvLine(Object.values(columns).map((cell) => cell(row)))
  yield csvHead(Object.keys(columns)) + first.map(lineOf).join('')
  let page = first
  while (page.length === CSV_PAGE) {
    page = await readAfter(page.at(-1))
    yield page.map(lineOf).join('')
  }
}

export function inMajorUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat('ru', { style: 'currency', currency }).resolvedOptions()
  return amount / 10 ** (format.maximumFractionDigits ?? 2)
}
