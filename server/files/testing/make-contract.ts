import { makeDocx } from './make-office.ts'

/**
 * Contracts as Word writes them: numbers of clauses are counted, not written. `contract` and `revised` in the folder
 * `papers` beside this file were saved by LibreOffice 7.4 from what these functions make.
 */

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const math = 'http://schemas.openxmlformats.org/officeDocument/2006/math'

export const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`

interface Place {
  style?: string
  list?: number
  depth?: number
  properties?: string
}

/** A paragraph of runs; `list` and `depth` are named by it, not by its style. */
export function clause(runs: string, { style, list, depth, properties = '' }: Place = {}): string {
  const number = [
    depth === undefined ? '' : `<w:ilvl w:val="${depth}"/>`,
    list === undefined ? '' : `<w:numId w:val="${list}"/>`,
  ].join('')
  const named = style ? `<w:pStyle w:val="${style}"/>` : ''
  return `<w:p><w:pPr>${named}${number && `<w:numPr>${number}</w:numPr>`}${properties}</w:pPr>${runs}</w:p>`
}

export const level = (depth: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`

export const clauseLevels = [
  level(0, 'decimal', '%1.'),
  level(1, 'decimal', '%1.%2.'),
  level(2, 'decimal', '%1.%2.%3.'),
  level(3, 'russianLower', '%4)'),
].join('')

export const abstractNumber = (id: number, levels: string) =>
  `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="multilevel"/>${levels}</w:abstractNum>`
export const numberOf = (id: number, abstractId: number, more = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${more}</w:num>`

const heading = `<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>`

interface Parts {
  body: string
  numbering?: string
  styles?: string
  footnotes?: string
}

export function makeNumbered({ body, numbering = '', styles = '', footnotes = '' }: Parts): Buffer {
  const part = (name: string, content: string) =>
    `<?xml version="1.0"?><w:${name} xmlns:w="${main}" xmlns:m="${math}">${content}</w:${name}>`
  const types = ['styles', 'numbering', 'footnotes'] as const
  const kind = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
  const overrides = ['document', ...types].map(
    (name) =>
      `<Override PartName="/word/${name}.xml" ContentType="${kind}.${name === 'document' ? 'document.main' : name}+xml"/>`,
  )
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  return makeDocx('', {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${packages}/relationships">${types.map((name, n) => `<Relationship Id="rId${n + 1}" Type="${office}/${name}" Target="${name}.xml"/>`).join('')}</Relationships>`,
    'word/document.xml': part('document', `<w:body>${body}</w:body>`),
    'word/styles.xml': part('styles', heading + styles),
    'word/numbering.xml': part('numbering', numbering),
    'word/footnotes.xml': part('footnotes', footnotes),
  })
}

const subjects = ['Предмет', 'Цена и расчёты', 'Поставка', 'Приёмка', 'Гарантия', 'Ответственность', 'Споры', 'Срок']
const verbs = ['передаёт', 'оплачивает', 'хранит', 'проверяет', 'возвращает', 'заменяет', 'страхует', 'отгружает']
/** The clause that is asked for; others name its number. */
export const ASKED = 'Станок оценён сторонами в семьсот гиней за штуку'

const TITLE = 'ДОГОВОР ПОСТАВКИ № 15'

/** Eight sections of four clauses; the words of the clauses repeat, so that only their numbers tell them apart. */
const sections = subjects.map((subject, section) => ({
  subject,
  clauses: verbs.slice(0, 4).map((_, n) => {
    const verb = verbs[(section + n) % verbs.length]
    const first = section === 1 && n === 0 ? ASKED : `Сторона ${verb} товар в срок, который назван в пункте 2.1`
    const rest = 'Стороны действуют добросовестно и уведомляют друг друга о том, что мешает исполнению пункта. '
    return `${first}. ${rest.repeat(4).trim()}`
  }),
}))

export function makeContract(): Buffer {
  const body = sections.flatMap(({ subject, clauses }) => [
    clause(run(subject), { style: 'Heading1', list: 1, depth: 0 }),
    ...clauses.map((text) => clause(run(text), { list: 1, depth: 1 })),
  ])
  return makeNumbered({
    body: clause(run(TITLE)) + body.join(''),
    numbering: abstractNumber(0, clauseLevels) + numberOf(1, 0),
  })
}

/** The same in RTF, where the numbers are written for readers that do not count. */
export function makeContractRtf(): Buffer {
  const escaped = (text: string) => text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}?`)
  const paragraph = (label: string, text: string, depth: number) =>
    `{\\listtext\\pard\\plain ${label}\\tab}\\pard\\plain\\ilvl${depth}\\ls1 ${escaped(text)}\\par\n`
  const body = sections.flatMap(({ subject, clauses }, section) => [
    paragraph(`${section + 1}.`, subject, 0),
    ...clauses.map((text, n) => paragraph(`${section + 1}.${n + 1}.`, text, 1)),
  ])
  return Buffer.from(`{\\rtf1\\ansi\\pard ${escaped(TITLE)}\\par\n${body.join('')}}`, 'latin1')
}

const mathRun = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const formula = `<m:oMath>${mathRun('П=')}<m:f><m:num>${mathRun('долг')}</m:num><m:den>${mathRun('дни')}</m:den></m:f>${mathRun('+')}<m:sSup><m:e>${mathRun('x')}</m:e><m:sup>${mathRun('2')}</m:sup></m:sSup></m:oMath>`
const by = 'w:author="А" w:date="2026-01-01T00:00:00Z"'
const note = `<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r>${run(' Налог двадцать процентов.')}</w:p></w:footnote>`

/** Tracked changes, a note, a formula and hidden text. */
export function makeRevised(): Buffer {
  const priced = [
    run('Цена '),
    `<w:del w:id="1" ${by}><w:r><w:delText xml:space="preserve">СТАРАЯ 100 </w:delText></w:r></w:del>`,
    `<w:ins w:id="2" ${by}>${run('НОВАЯ 200 ')}</w:ins>`,
    run('рублей'),
    '<w:r><w:footnoteReference w:id="2"/></w:r>',
    run(' с налогом.'),
  ]
  const mark = (of: string) => `<w:rPr><w:${of} w:id="3" ${by}/></w:rPr>`
  const gone = `<w:del w:id="4" ${by}><w:r><w:delText>УДАЛЁННЫЙ ПУНКТ</w:delText></w:r></w:del>`
  return makeNumbered({
    body: [
      clause(priced.join(''), { list: 1, depth: 0 }),
      clause(gone, { list: 1, depth: 0, properties: mark('del') }),
      clause(run('Второй пункт.'), { list: 1, depth: 0 }),
      clause(`${run('Пеня: ')}${formula}${run(' в день.')}`),
      clause(run('Видно') + run('СКРЫТО', '<w:vanish/>') + run('ТАЙНО', '<w:rStyle w:val="Secret"/>') + run(' всем.')),
    ].join(''),
    numbering: abstractNumber(0, clauseLevels) + numberOf(1, 0),
    styles:
      '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>',
    footnotes: note,
  })
}
