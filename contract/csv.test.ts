import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { cellText, csvLine } from './csv.ts'

/** What begins a formula, alone and behind every sign that separates cells for some program. */
const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '\t=1', '\r=1', '\n=1', ' =1+1']
const behind = [',', ';', '|', '\t', '\n', '\r\n', '"', '",', '";', "'"].flatMap((sign) =>
  formulas.map((formula) => `x${sign}${formula}`),
)
const read = (line: string, delimiter: string): string[][] =>
  parse(line, { delimiter, record_delimiter: '\r\n', relax_column_count: true, relax_quotes: true })

describe('a cell of a CSV file', () => {
  test.each([...formulas, ...behind])('%j is no formula and stays in its cell (S10.525)', (value) => {
    for (const delimiter of [';', ',', '|', '\t']) {
      const cells = read(csvLine([value]), delimiter).flat()
      expect(cells).toHaveLength(1)
      expect(cells[0]).not.toMatch(/^[\s"]*[=+\-@＝]/)
    }
    expect(read(csvLine([value, 'после']), ';')[0]?.[1]).toBe('после')
  })

  test.each(['простой', 'а;б', 'а,б', 'а"б', '"', 'а\nб', 'а\tб', "'цитата'", ' с краю ', ''])(
    '%j is read back',
    (value) => {
      expect(read(csvLine([value, 'после']), ';')).toEqual([[value, 'после']])
    },
  )

  test('a number has a comma', () => {
    expect([cellText(-1.5), cellText(null), cellText(0)]).toEqual(['-1,5', '', '0'])
  })
})
