import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readDocument } from './read-document.ts'
import { BOMB, LOCKED } from './rejections.ts'
import { docxStyles, lieAboutSizes, makeDocx, makeXlsx, makeZip, paragraph } from './testing/make-office.ts'
import { makeCompoundFile, makeDoc, makeXls, ROW_END } from './testing/make-old-office.ts'
import { makeEpub, makeOdf, makePptx } from './testing/make-papers.ts'
import { documents } from './types.ts'

const read = (type: keyof typeof documents, content: string | Buffer) =>
  readDocument(documents[type].mime, new Uint8Array(Buffer.from(content)))
const text = async (type: keyof typeof documents, content: string | Buffer) => (await read(type, content)).content

describe('XLSX', () => {
  const related = (...types: string[]) =>
    `<Relationships>${types.map((type, at) => `<Relationship Id="rId${at + 1}" Type="http://x/${type}" Target="${type}s/sheet${at + 1}.xml"/>`).join('')}</Relationships>`

  test('with a sheet that is only a chart reads (S10.731)', async () => {
    const chart = {
      'xl/_rels/workbook.xml.rels': related('worksheet', 'chartsheet'),
      'xl/chartsheets/sheet2.xml': '<chartsheet><drawing/></chartsheet>',
    }
    const xlsx = makeXlsx({ Данные: '<row r="1"><c r="A1"><v>7</v></c></row>', График: '' }, chart)
    expect(await text('xlsx', xlsx)).toBe('## Лист «Данные»\n\n7')
  })

  test('whose cells have no address reads (S10.731)', async () => {
    const rows =
      '<row><c t="str"><v>Имя</v></c><c t="str"><v>Сумма</v></c></row><row><c t="str"><v>Анна</v></c><c><v>5</v></c></row>'
    expect(await text('xlsx', makeXlsx({ Лист: rows }))).toBe(
      '## Лист «Лист»\n\n| Имя | Сумма |\n| --- | --- |\n| Анна | 5 |',
    )
  })

  test('gives shared texts, dates, times, logical values and whole sums', async () => {
    const extra = {
      'xl/sharedStrings.xml':
        '<sst><si><t>Да</t><rPh><t>yomi</t></rPh></si><si><r><t>Два </t></r><r><t>слова</t></r></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="171" formatCode="0 &quot;дней&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    }
    const cells =
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c s="1"><v>45000.5</v></c><c s="2"><v>3</v></c><c s="3"><v>0.25</v></c><c t="b"><v>1</v></c><c><v>0.30000000000000004</v></c><c t="e"><v>#N/A</v></c>'
    expect(await text('xlsx', makeXlsx({ Лист: `<row>${cells}</row>` }, extra))).toContain(
      '| Да | Два слова | 2023-03-15 12:00 | 3 | 06:00 | ИСТИНА | 0.3 | #N/A |',
    )
  })

  test('a title above the table is no row of it', async () => {
    const row = (...words: string[]) => `<row>${words.map((word) => `<c t="str"><v>${word}</v></c>`).join('')}</row>`
    expect(await text('xlsx', makeXlsx({ Лист: row('Отчёт') + row('a|b', 'c') }))).toContain(
      'Отчёт\n\n| a\\|b | c |\n| --- | --- |',
    )
  })

  test('a cell far away takes no room (S10.737)', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `<row r="${n + 1}"><c r="XFD${n + 1}"><v>${n}</v></c></row>`)
    expect(await text('xlsx', makeXlsx({ Лист: rows.join('') }))).toMatch(/^## Лист «Лист»\n\n0\n1\n2\n/)
  })
})

describe('DOCX', () => {
  const part = (words: string) => `<w:hdr>${paragraph(words)}<mc:Fallback>${paragraph('копия')}</mc:Fallback></w:hdr>`
  test('keeps headers and footers once (S10.732)', async () => {
    const names = ['header1', 'header2', 'footer1', 'footer2']
    const added = names.map(
      (name) => `<Relationship Id="${name}" Type="http://x/${name.slice(0, 6)}" Target="${name}.xml"/>`,
    )
    const rels = docxStyles['word/_rels/document.xml.rels'].replace(
      '</Relationships>',
      `${added.join('')}</Relationships>`,
    )
    const docx = makeDocx(paragraph('Текст'), {
      'word/_rels/document.xml.rels': rels,
      'word/header1.xml': part('Договор № 15'),
      'word/header2.xml': part('Договор № 15'),
      'word/footer1.xml': part('Подпись'),
      'word/footer2.xml': part('3'),
    })
    expect(await text('docx', docx)).toBe('Договор № 15\n\nТекст\n\nПодпись')
  })

  test('with a comment of the archive that is cut short reads (S10.731)', async () => {
    const docx = makeDocx(paragraph('Текст'))
    const longer = Buffer.concat([docx, Buffer.alloc(10, 'x')])
    longer.writeUInt16LE(11, docx.length - 2)
    expect(await text('docx', longer)).toBe('Текст')
  })
})

describe('OpenDocument (S10.733)', () => {
  const p = (words: string) => `<text:p>${words}</text:p>`
  test('a text has headings, lists, tables and its header once', async () => {
    const table = `<table:table>${[
      ['Имя', 'Сумма'],
      ['Анна', '5'],
    ]
      .map(
        (row) =>
          `<table:table-row>${row.map((cell) => `<table:table-cell>${p(cell)}</table:table-cell>`).join('')}</table:table-row>`,
      )
      .join('')}</table:table>`
    const body = `<text:tracked-changes>${p('удалено')}</text:tracked-changes><text:h text:outline-level="2">Глава</text:h>${p('Раз<text:s/>два')}<text:list><text:list-item>${p('пункт')}</text:list-item></text:list>${table}${p('Конец')}`
    expect(
      await text(
        'odt',
        makeOdf(
          'text',
          body,
          `<style:master-page><style:header>${p('Договор № 15')}</style:header></style:master-page>`,
        ),
      ),
    ).toBe('Договор № 15\n\n## Глава\n\nРаз два\n\n- пункт\n\n| Имя | Сумма |\n| --- | --- |\n| Анна | 5 |\n\nКонец')
  })

  test('a workbook has sheets; cells that repeat take no room', async () => {
    const cell = (words: string, more = '') => `<table:table-cell ${more}>${p(words)}</table:table-cell>`
    const empty =
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    const sheet = `<table:table table:name="Итоги"><table:table-row>${cell('Имя')}${cell('да', 'table:number-columns-repeated="2"')}</table:table-row>${empty}</table:table>`
    expect(await read('ods', makeOdf('spreadsheet', sheet))).toEqual({
      content: '## Лист «Итоги»\n\n| Имя | да | да |\n| --- | --- | --- |',
      pages: [{ name: 'лист «Итоги»', offset: 0 }],
    })
  })

  test('slides have numbers', async () => {
    const page = (words: string) => `<draw:page>${p(words)}</draw:page>`
    const { content, pages } = await read('odp', makeOdf('presentation', page('Начало') + page('Конец')))
    expect(content).toBe('## Слайд 1\n\nНачало\n\n## Слайд 2\n\nКонец')
    expect(pages.map(({ name }) => name)).toEqual(['слайд 1', 'слайд 2'])
  })

  test('a zip bomb has a reason (S10.737)', async () => {
    const odt = makeZip({ 'content.xml': new Uint8Array(12 * 1024 * 1024).fill(32) })
    await expect(read('odt', odt)).rejects.toThrow(BOMB)
    await expect(read('odt', lieAboutSizes(odt, 100))).rejects.toThrow(BOMB)
  })
})

test('PPTX gives slides in their order, with tables and notes (S10.733)', async () => {
  const cell = (words: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></a:txBody></a:tc>`
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell('a')}${cell('b')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl></p:graphicFrame>`
  const pptx = makePptx([['Заголовок', 'Первый'], ['Второй']], { notes: { 2: 'Сказать о планах' }, shapes: table })
  expect(await text('pptx', pptx)).toBe(
    '## Слайд 1\n\nЗаголовок\nПервый\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Слайд 2\n\nВторой\n\nЗаметки: Сказать о планах',
  )
})

describe('books (S10.733)', () => {
  test('EPUB gives chapters in the order of its spine', async () => {
    const { content, pages } = await read(
      'epub',
      makeEpub(['<h1>Глава 1</h1><p>Жил&#160;был</p>', '<p>Конец<script>x</script></p>']),
    )
    expect(content).toBe('# Глава 1\n\nЖил был\n\nКонец')
    expect(pages.map(({ name }) => name)).toEqual(['раздел 1', 'раздел 2'])
  })

  test.each(['utf-8', 'windows-1251'])('FB2 in %s gives titles, verses and no images', async (encoding) => {
    const book = `<?xml version="1.0" encoding="${encoding}"?><FictionBook><description><title-info><genre>prose</genre><author><first-name>Лев</first-name><last-name>Толстой</last-name></author><book-title>Война и мир</book-title></title-info><document-info><id>77</id></document-info></description><body><section><title><p>Глава 1</p></title><p>Ну, <emphasis>князь</emphasis>.</p><poem><stanza><v>Раз</v><v>два</v></stanza></poem></section></body><binary>aGVsbG8=</binary></FictionBook>`
    expect(await text('fb2', iconv.encode(book, encoding))).toBe(
      '# Война и мир\n\n## Глава 1\n\nНу, князь.\n\nРаз\nдва',
    )
  })
})

test('entities of a document type are not expanded (S10.737)', async () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "ааааа"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
  const fb2 = `<?xml version="1.0"?>${entities}<FictionBook><body><p>Начало &b; &f;</p></body></FictionBook>`
  expect(await text('fb2', fb2)).not.toMatch(/ааааа|root:/)
  const odt = makeZip({
    'content.xml': `${entities}<a><office:body><office:text><text:p>Начало &b;</text:p></office:text></office:body></a>`,
  })
  expect(await text('odt', odt)).not.toContain('ааааа')
})

describe('RTF (S10.733)', () => {
  const rtf = (body: string) =>
    `{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset0 T;}}\\f0 ${body}}`
  const cyrillic = (words: string) =>
    [...iconv.encode(words, 'windows-1251')].map((byte) => `\\'${byte.toString(16)}`).join('')

  test('is read in its encodings, without objects and images', async () => {
    const body = `${cyrillic('Привет')}, {\\b\\uc2\\u1084 ??\\u1080 ??\\u1088 ??}!\\par{\\*\\unknown hidden}{\\pict 00ff}{\\field{\\*\\fldinst LINK}{\\fldrslt a\\{b\\}}}\\par`
    expect(await text('rtf', rtf(body))).toBe('Привет, мир!\n\na{b}')
  })

  test('keeps tables and headers', async () => {
    const body = `{\\header ${cyrillic('Договор')} 15\\par}\\trowd\\intbl ${cyrillic('Имя')}\\cell b\\cell\\row\\trowd 1\\cell 2\\cell\\row\\pard after\\par`
    expect(await text('rtf', rtf(body))).toBe('Договор 15\n\n| Имя | b |\n| --- | --- |\n| 1 | 2 |\n\nafter')
  })

  test('a million open groups do not stop the reader (S10.737)', async () => {
    await expect(read('rtf', `{\\rtf1 ${'{'.repeat(1_000_000)}x`)).rejects.toThrow()
  })
})

describe('DOC (S10.733)', () => {
  const CELL = '\u0007'
  test('gives text, tables, results of fields and headers once', async () => {
    const doc = makeDoc({
      body: [
        'Договор\rСрок: \u0013 DATE \u0014завтра\u0015.\r',
        `plain text\rИмя${CELL}Сумма${CELL}${ROW_END}Анна${CELL}${CELL}${ROW_END}`,
        'Конец\r',
      ],
      notes: 'Сноска\r',
      margins: 'Договор № 15\rДоговор № 15\r',
    })
    expect(await text('doc', doc)).toBe(
      'Договор № 15\n\nДоговор\n\nСрок: завтра.\n\nplain text\n\n| Имя | Сумма |\n| --- | --- |\n| Анна |\n\nКонец\n\nСноска',
    )
  })

  test('locked, damaged and endless files have a reason (S10.737)', async () => {
    await expect(read('doc', makeDoc({ body: ['x'], isLocked: true }))).rejects.toThrow(LOCKED)
    const doc = makeDoc({ body: ['x'] })
    for (let length = 0; length < doc.length; length += 97)
      await read('doc', doc.subarray(0, length)).catch((error: Error) =>
        expect(['Unreadable', 'RangeError']).toContain(error.name === 'Unreadable' ? error.name : 'RangeError'),
      )
    // Every sector follows itself.
    const endless = Buffer.from(doc)
    for (let at = 512; at + 4 <= endless.length; at += 4) endless.writeUInt32LE(0, at)
    await expect(read('doc', endless)).rejects.toThrow()
  })
})

describe('XLS (S10.733)', () => {
  test('gives sheets with texts, numbers, dates and results of formulas', async () => {
    const xls = makeXls({
      Продажи: [
        ['Длинное имя', 'Сумма', 'День'],
        ['Анна', 1.5, { date: 45000 }],
        ['Борис', -7, { formula: 'итог' }],
      ],
      Пусто: [],
      Два: [['x', 2]],
    })
    expect(await text('xls', xls)).toBe(
      '## Лист «Продажи»\n\n| Длинное имя | Сумма | День |\n| --- | --- | --- |\n| Анна | 1.5 | 2023-03-15 |\n| Борис | -7 | итог |\n\n## Лист «Два»\n\n| x | 2 |\n| --- | --- |',
    )
  })

  test('other old files have a reason', async () => {
    await expect(read('xls', makeCompoundFile({ Book: Buffer.alloc(10) }))).rejects.toThrow(/Excel 95/)
    await expect(read('xls', makeCompoundFile({ Other: Buffer.alloc(10) }))).rejects.toThrow(/повреждён/)
  })
})

test('HTML is read in the encoding that it names (S10.735)', async () => {
  const html = (encoding: string) =>
    iconv.encode(`<html><head><meta charset="${encoding}"></head><body><p>Ґанок і їжак</p></body></html>`, encoding)
  expect(await text('html', html('windows-1251'))).toBe('Ґанок і їжак')
  expect(
    await text(
      'html',
      iconv.encode('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-7"><p>Καλημέρα', 'iso-8859-7'),
    ),
  ).toBe('Καλημέρα')
})

test('a table that lays out a page is no Markdown table', async () => {
  const html = '<table><tr><td><h2>Меню</h2><td><table><tr><td>a<td>b</table></table>'
  expect(await text('html', html)).not.toContain('| Меню')
})
