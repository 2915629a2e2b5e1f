import { describe, expect, test } from 'vitest'
import { markRaised, writeRaised } from './raised.ts'
import { readDocument } from './read-document.ts'
import { abstractNumber, clause, level, makeNumbered, numberOf, run } from './testing/make-contract.ts'
import { makeDoc } from './testing/make-old-office.ts'
import { makeEpub, makeOdf } from './testing/make-papers.ts'
import { documents } from './types.ts'

type Kind = keyof typeof documents
const text = async (kind: Kind, content: Buffer | string) =>
  (await readDocument(documents[kind].mime, new Uint8Array(Buffer.from(content)))).content
const lines = async (kind: Kind, content: Buffer | string) => (await text(kind, content)).split('\n').filter(Boolean)

const style = (id: string, kind: string, properties: string) =>
  `<w:style w:type="${kind}" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr>${properties}</w:rPr></w:style>`
const docxStyles =
  style('Gone', 'character', '<w:strike/>') +
  style('GoneText', 'paragraph', '<w:dstrike/>') +
  style('Up', 'character', '<w:vertAlign w:val="superscript"/>')
const docx = (body: string) => makeNumbered({ body, styles: docxStyles })
const odtStyle = (name: string, more: string) =>
  `<style:style style:name="${name}"><style:text-properties ${more}/></style:style>`
const odtStyles = [
  odtStyle('Gone', 'style:text-line-through-style="solid" style:text-line-through-type="single"'),
  odtStyle('Live', 'style:text-line-through-style="none"'),
  odtStyle('Up', 'style:text-position="super 58%"'),
  odtStyle('Down', 'style:text-position="-33% 58%"'),
].join('')
const odt = (body: string) => makeOdf('text', body, odtStyles)
const span = (name: string, words: string) => `<text:span text:style-name="${name}">${words}</text:span>`
const unicode = (words: string) => words.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}?`)
const rtf = (body: string) => Buffer.from(`{\\rtf1\\ansi ${unicode(body)}}`)
const fb2 = (body: string) =>
  `<FictionBook xmlns:l="l"><body><section>${body}</section></body><body name="notes"><title><p>Примечания</p></title><section id="n1"><title><p>1</p></title><p>По письму № 44.</p></section></body></FictionBook>`

const struckPapers: [Kind, Buffer | string][] = [
  [
    'docx',
    docx(
      clause(
        run('Цена ') +
          run('ПЯТЬ', '<w:strike/>') +
          run('ШЕСТЬ', '<w:dstrike/>') +
          run('СЕМЬ', '<w:rStyle w:val="Gone"/>') +
          run('восемь', '<w:rStyle w:val="Gone"/><w:strike w:val="0"/>') +
          run(' рублей.'),
      ) + clause(run('ДЕВЯТЬ'), { style: 'GoneText' }),
    ),
  ],
  [
    'odt',
    odt(
      `<text:p>Цена ${span('Gone', 'ПЯТЬ')}${span('Gone', span('Live', 'восемь'))} рублей.</text:p><text:p text:style-name="Gone">ДЕВЯТЬ</text:p>`,
    ),
  ],
  [
    'rtf',
    rtf(
      '{\\stylesheet{\\*\\cs5\\strike Gone;}}Цена {\\strike ПЯТЬ}{\\striked1 ШЕСТЬ}{\\cs5 СЕМЬ}{\\strike\\strike0 восемь} рублей.\\par\\strike ДЕВЯТЬ\\par',
    ),
  ],
  [
    'doc',
    makeDoc({
      body: ['Цена ПЯТЬШЕСТЬвосемь рублей.\rДЕВЯТЬ\r'],
      looks: { ПЯТЬ: [0x37, 0x08, 1], ШЕСТЬ: [0x53, 0x2a, 1], восемь: [0x37, 0x08, 0], 'ДЕВЯТЬ\r': [0x37, 0x08, 1] },
    }),
  ],
  [
    'html',
    '<p>Цена <del>ПЯТЬ</del><s>ШЕСТЬ</s><strike>СЕМЬ</strike>восемь рублей.</p><p style="color:red; text-decoration: line-through">ДЕВЯТЬ</p>',
  ],
  ['epub', makeEpub(['<p>Цена <del>ПЯТЬ</del>восемь рублей.</p>'])],
  ['fb2', fb2('<p>Цена <strikethrough>ПЯТЬ</strikethrough>восемь рублей.</p>')],
]

test.each(struckPapers)('what is struck out in %s is not read (S10.1580)', async (kind, content) => {
  const read = await text(kind, content)
  expect(read).toContain('Цена восемь рублей.')
  expect(read).not.toMatch(/ПЯТЬ|ШЕСТЬ|СЕМЬ|ДЕВЯТЬ/)
})

test.each<[Kind, Buffer | string]>([
  ['docx', docx(clause(run('Отменено.'), { style: 'GoneText' }))],
  ['odt', odt('<text:p text:style-name="Gone">Отменено.</text:p>')],
  ['rtf', rtf('\\strike Отменено.\\par')],
  ['doc', makeDoc({ body: ['Отменено.\r'], looks: { 'Отменено.': [0x37, 0x08, 1] } })],
  ['html', '<del><p>Отменено.</p></del>'],
  ['epub', makeEpub(['<p><s>Отменено.</s></p>'])],
])('a whole %s that is struck out keeps its words (S10.1580)', async (kind, content) => {
  expect(await text(kind, content)).toBe('Отменено.')
})

test('a clause that is struck out keeps its number in the count (S10.1581)', async () => {
  const numbering = abstractNumber(0, level(0, 'decimal', '%1.')) + numberOf(1, 0)
  const one = (runs: string) => clause(runs, { list: 1, depth: 0 })
  const body = one(run('Первый')) + one(run('ВТОРОЙ', '<w:strike/>')) + one(run('Третий'))
  expect(await text('docx', makeNumbered({ body, numbering }))).toBe('1. Первый\n3. Третий')
})

test.each([
  ['super', '-6', '⁻⁶'],
  ['sub', '2', '₂'],
  ['super', 'n+1', 'ⁿ⁺¹'],
  ['super', 'x', '^x'],
  ['super', '1,5', '^(1,5)'],
  ['sub', 'вн', '_(вн)'],
  ['super', 'о', '°'],
  ['super', 'st', 'st'],
  ['super', '*', '*'],
  ['sub', 'смотри приложение 1', 'смотри приложение 1'],
] as const)('%s «%s» is written %s (S10.1582)', (how, plain, written) => {
  expect(writeRaised(markRaised(plain, how))).toBe(written)
  expect(writeRaised([...plain].map((sign) => markRaised(sign, how)).join(''))).toBe(written)
})

const [up, down] = ['<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>']
test.each<[Kind, Buffer | string]>([
  [
    'docx',
    docx(
      clause(
        [run('10'), run('-', up), run('6', up), run(' м'), run('2', '<w:rStyle w:val="Up"/>'), run(' H')].join('') +
          run('2', down) +
          run('O'),
      ),
    ),
  ],
  ['odt', odt(`<text:p>10${span('Up', '-6')} м${span('Up', '2')} H${span('Down', '2')}O</text:p>`)],
  ['rtf', rtf('10{\\super -6} м{\\up6 2} H{\\sub 2}O')],
  [
    'doc',
    makeDoc({ body: ['10-6 м2 H3O\r'], looks: { '-6': [0x48, 0x2a, 1], '2': [0x48, 0x2a, 1], '3': [0x48, 0x2a, 2] } }),
  ],
  ['html', '<p>10<sup>-6</sup> м<sup>2</sup> H<sub>2</sub>O</p>'],
  ['epub', makeEpub(['<table><tr><td>a</td><td>10<sup>-6</sup> м<sup>2</sup> H<sub>2</sub>O</td></tr></table>'])],
  ['fb2', fb2('<p>10<sup>-6</sup> м<sup>2</sup> H<sub>2</sub>O</p>')],
])('%s keeps what is raised and lowered (S10.1582)', async (kind, content) => {
  expect(await text(kind, content)).toMatch(/10⁻⁶ м² H[₂₃]O/)
})

describe('a page', () => {
  test('has its formulas once, on one line (S10.1583)', async () => {
    const math = (inner: string) =>
      `<math><semantics><mrow>${inner}</mrow><annotation encoding="application/x-tex">\\frac</annotation></semantics></math>`
    const fraction = '<mfrac><mi>r</mi><mn>365</mn></mfrac>'
    const root = '<msqrt><mrow><msup><mi>a</mi><mn>2</mn></msup><mo>+</mo><mi>b</mi></mrow></msqrt>'
    expect(await text('html', `<p>Пеня ${math(fraction)}, где ${math(root)}.</p>`)).toBe('Пеня r/365, где √(a^2+b).')
  })

  test('has the numbers of its lists (S10.1584)', async () => {
    const list = (more: string, ...items: string[]) => `<ol ${more}>${items.join('')}</ol>`
    const page = [
      list('start="5"', '<li>а</li>', '<li value="9">б</li>', '<li>в</li>'),
      list('type="a"', '<li>г</li>', '<li type="I">д</li>'),
      list('reversed', '<li>е</li>', '<li>ж</li>'),
    ].join('')
    expect((await lines('html', page)).map((line) => line.trim().replace(/\s+/, ' '))).toEqual([
      '5. а',
      '9. б',
      '10. в',
      'a. г',
      'II. д',
      '2. е',
      '1. ж',
    ])
  })

  test('is read without what it hides (S10.1585)', async () => {
    const css =
      '/* .a{display:none} */ @media print { .b { display: none } } .no, p.gone { color: red; DISPLAY : none } .back{display:none} .back{display:block}'
    const hidden = [
      '<p hidden>ТАЙНА</p>',
      '<p style="visibility: hidden">ТАЙНА</p>',
      '<div class="x no"><p>ТАЙНА</p></div>',
      '<p class="gone">ТАЙНА</p>',
    ].join('')
    const shown = '<p class="a">раз</p><p class="b">два</p><p class="back">три</p>'
    expect(await lines('html', `<style>${css}</style><body style="visibility:hidden">${hidden}${shown}`)).toEqual([
      'раз',
      'два',
      'три',
    ])
  })

  const mark = (id: string, href = `#${id}`) => `<a href="${href}" id="r${id}"><sup>${id.slice(-1)}</sup></a>`
  test('has its notes after their paragraphs, with marks (S10.1587)', async () => {
    const note = (id: string, words: string) => `<li id="${id}"><p>${words}<a href="#r${id}">↩︎</a></p></li>`
    const page = `<p>Штук.${mark('fn1')} Ещё${mark('fn2')}</p><table><tr><td>а${mark('fn3')}</td><td>б</td></tr></table><p>Конец.</p><section><hr><ol>${note('fn1', 'Письмо.')}${note('fn2', 'Вода.')}${note('fn3', 'В таблице.')}</ol></section>`
    expect(await lines('html', page)).toEqual([
      'Штук.[сноска 1] Ещё[сноска 2]',
      '[сноска 1] Письмо.',
      '[сноска 2] Вода.',
      '| а[сноска 3] | б |',
      '| --- | --- |',
      '[сноска 3] В таблице.',
      'Конец.',
    ])
  })

  test('of a book has notes of other chapters, counted once (S10.1587)', async () => {
    const chapter = (words: string, id: string) =>
      `<p>${words}<a epub:type="noteref" href="c%201.xhtml#${id}">${id}</a></p>`
    const notes =
      '<aside id="a" epub:type="footnote" hidden><p>Первая.</p></aside><aside id="b" epub:type="footnote"><p>Вторая.</p></aside><p>Хвост</p>'
    expect(await lines('epub', makeEpub([chapter('Раз', 'a'), chapter('Два', 'b'), notes]))).toEqual([
      'Раз[сноска 1]',
      '[сноска 1] Первая.',
      'Два[сноска 2]',
      '[сноска 2] Вторая.',
      'Хвост',
    ])
  })
})

test('an FB2 book has its notes after their paragraphs (S10.1587)', async () => {
  const book = fb2('<p>Штук.<a l:href="#n1" type="note">1</a></p><p>Конец.</p>')
  expect(await lines('fb2', book)).toEqual(['Штук.[сноска 1]', '[сноска 1] По письму № 44.', 'Конец.'])
})

describe('lists in lists', () => {
  const nested = ['1. Предмет', '  1. Ангар', '    а) большой', '2. Плата', '  1. В месяц']
  const items: [number, string][] = [
    [0, 'Предмет'],
    [1, 'Ангар'],
    [2, 'большой'],
    [0, 'Плата'],
    [1, 'В месяц'],
  ]
  const levels =
    level(0, 'decimal', '%1.') +
    level(1, 'decimal', '%2.') +
    level(2, 'russianLower', '%3)') +
    level(3, 'decimal', '%1.%4')
  const numbering = abstractNumber(0, levels) + numberOf(1, 0) + abstractNumber(1, levels) + numberOf(2, 1)
  const one = (list: number, [depth, words]: [number, string]) => clause(run(words), { list, depth })

  test('are set in where their numbers begin anew, in DOCX (S10.1586)', async () => {
    const body = items.map((item) => one(1, item)).join('')
    expect(await text('docx', makeNumbered({ body, numbering }))).toBe(nested.join('\n'))
  })

  test('begin at the margin and keep whole numbers as they are (S10.1586)', async () => {
    const body = [one(2, [1, 'а']), one(2, [2, 'б']), one(2, [3, 'в'])].join('')
    expect(await lines('docx', makeNumbered({ body, numbering }))).toEqual(['1. а', '  а) б', '1.1 в'])
  })

  test('are set in in ODT (S10.1586)', async () => {
    const item = (words: string, inner = '') => `<text:list-item><text:p>${words}</text:p>${inner}</text:list-item>`
    const list = (inner: string) => `<text:list text:style-name="L">${inner}</text:list>`
    const body = list(
      item('Предмет', list(item('Ангар', list(item('большой'))))) + item('Плата', list(item('В месяц'))),
    )
    const own = [1, 2, 3].map(
      (n) =>
        `<text:list-level-style-number text:level="${n}" style:num-format="${n === 3 ? 'а' : '1'}" style:num-suffix="${n === 3 ? ')' : '.'}"/>`,
    )
    const styles = `<text:list-style style:name="L">${own.join('')}</text:list-style>`
    expect(await text('odt', makeOdf('text', body, styles))).toBe(nested.join('\n'))
  })

  test.each([
    ['labels', (depth: number, label: string) => `{\\listtext ${label}\\tab}\\pard\\ls1\\ilvl${depth} `],
    ['indents', (depth: number, label: string) => `\\pard\\li${(depth + 1) * 360}\\fi-360 ${label}\\tab `],
  ])('are set in in RTF with %s (S10.1586)', async (_, before) => {
    const labels = nested.map((line) => line.trim().split(' ')[0] ?? '')
    const body = items.map(([depth, words], n) => `${before(depth, labels[n] ?? '')}${words}\\par`)
    expect(await text('rtf', rtf(body.join('')))).toBe(nested.join('\n'))
  })
})

test.each<[Kind, Buffer | string, string]>([
  [
    'rtf',
    rtf('\\trowd а\\cell б\\cell\\row\\pard Этапы{\\footnote Вода.} в таблице.\\par'),
    'Этапы[сноска 1] в таблице.',
  ],
])('a note after a table stands after its own paragraph in %s (S10.1588)', async (kind, content, paragraph) => {
  expect((await lines(kind, content)).slice(-2)).toEqual([paragraph, '[сноска 1] Вода.'])
})
