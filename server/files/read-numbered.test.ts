import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countLevel, type Level } from './numbering.ts'
import { readDocument } from './read-document.ts'
import {
  abstractNumber,
  clause,
  clauseLevels,
  level,
  makeContract,
  makeContractRtf,
  makeNumbered,
  makeRevised,
  numberOf,
  run,
} from './testing/make-contract.ts'
import { makeOdf } from './testing/make-papers.ts'
import { documents } from './types.ts'

const text = async (type: keyof typeof documents, content: Buffer) =>
  (await readDocument(documents[type].mime, new Uint8Array(content))).content
const paper = (name: string) => readFileSync(new URL(`testing/papers/${name}`, import.meta.url))
const lines = (content: string) => content.split('\n').filter(Boolean)

describe('numbers of clauses (S10.1080)', () => {
  test.each([
    ['docx', makeContract],
    ['doc', () => paper('contract.doc')],
    ['odt', () => paper('contract.odt')],
    ['rtf', makeContractRtf],
    ['pdf', () => paper('contract.pdf')],
  ] as const)('stand before the clauses of a %s', async (type, make) => {
    const numbers = lines(await text(type, make())).flatMap(
      (line) => /^(?:# )?(\d+(?:\.\d+)*\.) \p{Lu}/u.exec(line)?.[1] ?? [],
    )
    const sections = Array.from({ length: 8 }, (_, n) => n + 1)
    expect(numbers).toEqual(sections.flatMap((n) => [`${n}.`, ...[1, 2, 3, 4].map((of) => `${n}.${of}.`)]))
  })

  const one = (list: number, depth: number, words: string) => clause(run(words), { list, depth })
  const docx = async (body: string, numbering: string, styles = '') =>
    lines(await text('docx', makeNumbered({ body, numbering, styles })))

  test('start as the list says, go on and start again', async () => {
    const levels = level(0, 'decimal', '%1)').replace('w:start w:val="1"', 'w:start w:val="5"')
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    const own =
      '<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:start w:val="9"/><w:numFmt w:val="decimal"/><w:lvlText w:val="[%1]"/></w:lvl></w:lvlOverride>'
    const numbering =
      abstractNumber(0, levels) +
      numberOf(1, 0) +
      numberOf(2, 0, restart) +
      abstractNumber(1, levels) +
      numberOf(3, 1, own)
    const body = [
      one(1, 0, 'а'),
      one(1, 0, 'б'),
      clause(run('текст')),
      one(1, 0, 'в'),
      one(2, 0, 'г'),
      one(2, 0, 'д'),
      one(3, 0, 'е'),
    ]
    expect(await docx(body.join(''), numbering)).toEqual(['5) а', '6) б', 'текст', '7) в', '1) г', '2) д', '[9] е'])
  })

  test('of lower levels restart, unless the level says otherwise', async () => {
    const levels = (more: string) => level(0, 'upperRoman', 'Часть %1') + level(1, 'decimal', '%1.%2', more)
    const body = [one(1, 0, 'а'), one(1, 1, 'б'), one(1, 0, 'в'), one(1, 1, 'г')].join('')
    expect(await docx(body, abstractNumber(0, levels('<w:isLgl/>')) + numberOf(1, 0))).toEqual([
      'Часть I а',
      '1.1 б',
      'Часть II в',
      '2.1 г',
    ])
    expect(await docx(body, abstractNumber(0, levels('<w:lvlRestart w:val="0"/>')) + numberOf(1, 0))).toEqual([
      'Часть I а',
      'I.1 б',
      'Часть II в',
      'II.2 г',
    ])
  })

  test('come from styles, those they are based on and linked levels', async () => {
    const style = (id: string, more: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${more}</w:style>`
    const numbered = (more: string) => `<w:pPr><w:numPr>${more}</w:numPr></w:pPr>`
    const styles = [
      style('Clause', numbered('<w:ilvl w:val="1"/><w:numId w:val="1"/>')),
      style('Deep', `<w:basedOn w:val="Clause"/>${numbered('<w:ilvl w:val="2"/>')}`),
      style('Linked', numbered('<w:numId w:val="1"/>')),
      `<w:style w:type="numbering" w:styleId="List"><w:name w:val="List"/>${numbered('<w:numId w:val="2"/>')}</w:style>`,
    ].join('')
    const linked = clauseLevels.replace(
      '<w:lvlText w:val="%4)"/>',
      '<w:pStyle w:val="Linked"/><w:lvlText w:val="%4)"/>',
    )
    const numbering = [
      abstractNumber(0, '<w:numStyleLink w:val="List"/>'),
      abstractNumber(1, linked),
      numberOf(1, 0),
      numberOf(2, 1),
    ].join('')
    const body = [
      one(1, 0, 'а'),
      clause(run('б'), { style: 'Clause' }),
      clause(run('в'), { style: 'Deep' }),
      clause(run('г'), { style: 'Linked' }),
      clause(run('д'), { style: 'Clause', list: 0 }),
    ]
    expect(await docx(body.join(''), numbering, styles)).toEqual(['1. а', '1.1. б', '1.1.1. в', '      а) г', 'д'])
  })

  test('of ODT continue, restart and belong to headings', async () => {
    const item = (words: string, more = '') => `<text:list-item${more}><text:p>${words}</text:p></text:list-item>`
    const list = (items: string, more = '') => `<text:list text:style-name="L"${more}>${items}</text:list>`
    const body = [
      '<text:h text:outline-level="1">Глава</text:h><text:h text:outline-level="2">Часть</text:h>',
      list(`${item('а')}<text:list-item><text:list>${item('б')}</text:list></text:list-item>`, ' xml:id="one"'),
      list(item('в'), ' text:continue-numbering="true"'),
      list(item('г')),
      list(item('д') + item('е', ' text:start-value="9"'), ' text:continue-list="one"'),
    ].join('')
    const levels = (name: string) =>
      `<text:${name} text:level="1" style:num-format="1" style:num-suffix="."/><text:${name} text:level="2" style:num-format="1" text:display-levels="2" style:num-suffix=")"/>`
    const styles = `<text:outline-style>${levels('outline-level-style')}</text:outline-style><text:list-style style:name="L">${levels('list-level-style-number')}</text:list-style>`
    expect(lines(await text('odt', makeOdf('text', body, styles)))).toEqual([
      '# 1. Глава',
      '## 1.1) Часть',
      '1. а',
      '1.1) б',
      '2. в',
      '1. г',
      '3. д',
      '9. е',
    ])
  })

  test.each([
    ['decimalZero', 7, '07'],
    ['lowerRoman', 14, 'xiv'],
    ['upperLetter', 28, 'BB'],
    ['russianLower', 9, 'и'],
    ['russianUpper', 10, 'К'],
    ['decimal', 5000, '5000'],
  ] as const)('are written as %s', (format, number, label) => {
    const own: Level = { start: number, format, text: '%1', restartsAfter: null, isLegal: false }
    expect(countLevel([own], [], 0)).toBe(label)
  })
})

describe('a revised paper', () => {
  const papers = [
    ['docx', makeRevised],
    ['doc', () => paper('revised.doc')],
    ['odt', () => paper('revised.odt')],
    ['rtf', () => paper('revised.rtf')],
  ] as const

  test.each(papers)('of %s has neither deleted nor hidden text (S10.1082, S10.1083)', async (type, make) => {
    const content = await text(type, make())
    expect(content).toMatch(/Цена НОВАЯ 200 рублей/)
    expect(content).toContain('Второй пункт.')
    expect(content).toContain('Видно всем.')
    expect(content).not.toMatch(/СТАРАЯ|УДАЛЁННЫЙ|СКРЫТО|ТАЙНО/)
  })

  test.each(papers)('of %s keeps its note apart, with a mark (S10.1084)', async (type, make) => {
    expect(lines(await text(type, make())).slice(0, 2)).toEqual([
      '1. Цена НОВАЯ 200 рублей[сноска 1] с налогом.',
      '[сноска 1] Налог двадцать процентов.',
    ])
  })

  test.each(papers)('of %s keeps its formula (S10.1085)', async (type, make) => {
    expect(await text(type, make())).toContain('Пеня: П=долг/дни+x^2 в день.')
  })
})
