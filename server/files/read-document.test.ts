import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { cpuMs } from '#server/testing/cpu-time.ts'
import { readDocument } from './read-document.ts'
import { isUsable, readPdf } from './read-pdf.ts'
import { BOMB, BROKEN, LOCKED, NESTED, NO_TEXT } from './rejections.ts'
import {
  docxStyles,
  lieAboutSizes,
  lockZip,
  makeDocx,
  makeXlsx,
  paragraph,
  withExternalImage,
} from './testing/make-office.ts'
import { makeDrawnPdf, makeLockedPdf, makePdf } from './testing/make-pdf.ts'
import { MAX_SYMBOLS, tidy } from './text.ts'
import { documents } from './types.ts'

const read = (type: keyof typeof documents, content: string | Buffer) =>
  readDocument(documents[type].mime, new Uint8Array(Buffer.from(content)))
const text = async (type: keyof typeof documents, content: string | Buffer) => (await read(type, content)).content

describe('PDF', () => {
  test('is read page by page, with the offset of each page', async () => {
    const steps: number[] = []
    const pdf = makeDrawnPdf(
      ['BT /F1 9 Tf 9 700 Td (First) Tj 0 -20 Td (line) Tj ET', '', 'BT /F1 9 Tf (Third) Tj ET'],
      {
        packed: true,
      },
    )
    expect(await readDocument(documents.pdf.mime, new Uint8Array(pdf), (percent) => steps.push(percent))).toEqual({
      content: 'First\nline\n\nThird',
      pages: [
        { name: 'стр. 1', offset: 0 },
        { name: 'стр. 3', offset: 12 },
      ],
      pdf: {
        pageCount: 3,
        pages: [
          { number: 1, text: 'First\nline', needsReading: false },
          { number: 2, text: '', needsReading: true },
          { number: 3, text: 'Third', needsReading: false },
        ],
      },
    })
    expect(steps).toEqual([33, 66, 100])
  })

  test('without a text layer says that each page needs reading (S10.730)', async () => {
    const { content, pdf } = await read('pdf', makeDrawnPdf(['0 0 100 100 re f', '0 0 1 1 re f']))
    expect([content, pdf?.pageCount, pdf?.pages.map(({ needsReading }) => needsReading)]).toEqual(['', 2, [true, true]])
  })

  test.each([
    ['letters', 'Слово', true],
    ['nothing', ' ', false],
    ['private characters', '\ue001\ue002\ue003 a', false],
    ['replacement characters', '\ufffd\ufffd\ufffd a', false],
    ['a list with signs of a symbol font', '\uf0b7 раз\n\uf0b7 два', true],
  ])('a page with %s is usable or not (S10.730)', (_, words, usable) => {
    expect(isUsable(words)).toBe(usable)
  })

  test('of ten thousand pages is cut at the limit, with a note', async () => {
    const pdf = makePdf(Array.from({ length: 10_000 }, (_, page) => `Page ${page + 1}`))
    const { content, pages } = await readPdf(new Uint8Array(pdf), () => {}, 20)
    expect(pages).toHaveLength(20)
    expect(content).toContain('Page 20')
    expect(content).not.toContain('Page 21')
    expect(content).toMatch(/\[Файл прочитан не до конца: взяты первые 20 страниц из 10000\.\]$/)
  })

  test.each([['with a password', makeLockedPdf(), LOCKED]])('%s has a reason', async (_, pdf, reason) => {
    await expect(read('pdf', pdf)).rejects.toMatchObject({ name: 'Unreadable', message: reason })
  })

  test.each([
    ['that is only a header', Buffer.from('%PDF-1.7\n')],
    ['that is cut off', makePdf(['x']).subarray(0, 60)],
  ])('%s does not read', async (_, pdf) => {
    await expect(read('pdf', pdf)).rejects.toThrow()
  })
})

describe('DOCX', () => {
  const cell = (...words: string[]) => `<w:tc>${words.map((word) => paragraph(word)).join('')}</w:tc>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`

  test('keeps headings, paragraphs and tables', async () => {
    const table = `<w:tbl>${row(cell('Имя', 'и фамилия'), cell('Сумма'))}${row(cell('Анна'), cell('5'))}</w:tbl>`
    const body = `${paragraph('Отчёт', 'Heading1')}${paragraph('Было  &lt;b&gt; так')}${table}${paragraph('Конец')}`
    expect(await text('docx', makeDocx(body, docxStyles))).toBe(
      '# Отчёт\n\nБыло <b> так\n\n| Имя и фамилия | Сумма |\n| --- | --- |\n| Анна | 5 |\n\nКонец',
    )
  })

  test('does not read files and addresses that it refers to', async () => {
    const path = join(tmpdir(), `symbol-secret-${process.pid}`)
    writeFileSync(path, 'secret')
    let visits = 0
    const server = createServer((_, response) => {
      visits += 1
      response.end('secret')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    for (const target of [`file://${path}`, path, `http://127.0.0.1:${port}/image.png`]) {
      const { body, parts } = withExternalImage(target)
      expect(await text('docx', makeDocx(paragraph('Текст') + body, parts))).toBe('Текст')
    }
    server.close()
    rmSync(path)
    expect(visits).toBe(0)
  })

  test('XML entities are not expanded', async () => {
    const entity = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
    const outcome = await text(
      'docx',
      makeDocx('', { 'word/document.xml': `${entity}<w:document><w:body>&e;</w:body></w:document>` }),
    ).catch(String)
    expect(outcome).not.toContain('root:')
  })

  test('the workbook of a chart is not a nested archive', async () => {
    const workbook = makeXlsx({ Лист1: '' })
    expect(await text('docx', makeDocx(paragraph('Текст'), { 'word/embeddings/Sheet1.xlsx': workbook }))).toBe('Текст')
  })

  const spaces = new Uint8Array(12 * 1024 * 1024).fill(32)
  const bomb = makeDocx(paragraph('x'), { 'word/bomb.xml': spaces })
  test.each([
    ['a zip bomb', bomb, BOMB],
    ['a zip bomb that declares little', lieAboutSizes(bomb, 100), BOMB],
    ['a part that declares too much', lieAboutSizes(makeDocx(paragraph('x')), 0x7fffffff), BOMB],
    [
      'thousands of parts',
      makeDocx(paragraph('x'), Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`word/${n}.xml`, '']))),
      BOMB,
    ],
    ['a nested archive', makeDocx(paragraph('x'), { 'word/inner.zip': zipSync({ a: new Uint8Array(9) }) }), NESTED],
    [
      'a nested archive by another name',
      makeDocx(paragraph('x'), { 'word/inner.xml': zipSync({ a: new Uint8Array(9) }) }),
      NESTED,
    ],
    ['a password', lockZip(makeDocx(paragraph('x'))), LOCKED],
    ['no words', makeDocx(paragraph(' ')), NO_TEXT],
  ])('%s has a reason', async (_, docx, reason) => {
    const failure = await read('docx', docx).then(
      () => null,
      (error: Error) => (error.name === 'Unreadable' ? error.message : BROKEN),
    )
    expect(failure).toBe(reason)
  })

  test('with broken XML inside does not read', async () => {
    await expect(read('docx', makeDocx('', { 'word/document.xml': '<w:document><w:body>' }))).rejects.toThrow()
    await expect(read('docx', makeDocx('', { 'word/document.xml': 'nothing of the kind' }))).rejects.toThrow()
  })
})

test('XLSX gives each sheet as a table with values, dates and rows', async () => {
  const word = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const dates = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
  const xlsx = makeXlsx(
    {
      Продажи: `<row r="1">${word('A1', 'Имя')}${word('C1', 'Два\nслова')}</row><row r="4"><c r="A4"><v>1.5</v></c><c r="B4"><f>1+1</f><v>2</v></c><c r="C4" s="1"><v>45000</v></c></row>`,
      Пусто: '',
      Итог: `<row r="1">${word('A1', '=SUM(A1)')}</row>`,
    },
    { 'xl/styles.xml': dates },
  )
  expect(await read('xlsx', xlsx)).toEqual({
    content:
      '## Лист «Продажи»\n\n| Имя |  | Два слова |\n| --- | --- | --- |\n| 1.5 | 2 | 2023-03-15 |\n\n## Лист «Итог»\n\n=SUM(A1)',
    pages: [
      { name: 'лист «Продажи»', offset: 0 },
      { name: 'лист «Итог»', offset: 88 },
    ],
  })
})

describe('CSV', () => {
  test.each([
    [
      'semicolons and Russian numbers',
      'имя;сумма\n"Анна; Б";1,5\n\nВася;"2\n3"',
      'имя\tсумма\nАнна; Б\t1,5\nВася\t2 3',
    ],
    ['commas', 'name,sum\n"a, b",1\n', 'name\tsum\na, b\t1'],
    ['tabs', 'a\tb\n1\t2', 'a\tb\n1\t2'],
    ['formulas, which stay text', 'a;b\n=1+1;@SUM(A1)\n', 'a\tb\n=1+1\t@SUM(A1)'],
    ['an open quote', 'a;b\n"открыта;2\n', 'a;b\n"открыта;2'],
  ])('with %s', async (_, csv, expected) => {
    expect(await text('csv', csv)).toBe(expected)
  })
})

test('HTML gives the visible text: no scripts, no styles, no addresses', async () => {
  const html = `<html><head><title>Вкладка</title><style>p { color: red }</style></head><body>
    <script>alert('script')</script><h2>Заголовок</h2><p>Текст <b>с&nbsp;жирным</b> и
    <a href="https://tracker.example/?q=1">ссылкой</a></p><ul><li>раз<li>два</ul>
    <table><tr><th>a<th>b</tr><tr><td>1<td><p>2</p><p>3</p></tr></table><img src="x" onerror="alert(1)">
    <pre>if x:\n    y</pre><noscript>нет</noscript><iframe src="https://tracker.example">рамка</iframe>`
  expect(await text('html', html)).toBe(
    '## Заголовок\n\nТекст с жирным и ссылкой\n\n- раз\n- два\n\n| a | b |\n| --- | --- |\n| 1 | 2 3 |\n\nif x:\n    y',
  )
})

describe('text', () => {
  const russian = 'Ёлка — дерево. Съешь ещё этих мягких булок.'
  test.each(['utf-8', 'windows-1251', 'koi8-r', 'cp866', 'maccyrillic', 'iso-8859-5'])(
    'in %s (S10.735)',
    async (encoding) => {
      expect(await text('txt', iconv.encode(russian.replace('—', '-'), encoding))).toBe(russian.replace('—', '-'))
    },
  )
  test.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'in %s with and without a BOM (S10.735)',
    async (encoding) => {
      expect(await text('txt', iconv.encode(russian, encoding, { addBOM: true }))).toBe(russian)
      expect(await text('txt', iconv.encode(russian, encoding, { addBOM: false }))).toBe(russian)
    },
  )
  test.each(['Да', 'Привет, Мир', 'ИТОГО: 5 шт.', 'name=Имя'])(
    '%s is enough to recognise Windows-1251',
    async (words) => {
      expect(await text('txt', iconv.encode(words, 'windows-1251'))).toBe(words)
    },
  )

  test('keeps indents, drops invisible characters, normalises line ends (S10.735)', async () => {
    expect(await text('md', '# A\r\n\r\n\r\n\r\n  - b  \u200b\rc\u0007\u00a0d\u0085e\u2028f\uFEFF')).toBe(
      '# A\n\n  - b\nc d\ne\nf',
    )
    expect(tidy('сло\u200cво'), 'a joiner that only hides').toBe('слово')
    expect(tidy('می\u200cخواهم 👩\u200d🔬'), 'joiners of the spelling').toBe('می\u200cخواهم 👩\u200d🔬')
    expect(tidy('и\u0306 \ud800 \u202eлеп')).toBe('й \ufffd леп')
  })

  test('without words fails with a reason, and so do other bytes', async () => {
    await expect(text('txt', ' \r\n\t ')).rejects.toThrow(NO_TEXT)
    await expect(text('txt', `${'x'.repeat(100_000)}\0`)).rejects.toThrow(BROKEN)
    await expect(text('txt', '\u0001\u0002\u0003ab')).rejects.toThrow(BROKEN)
  })

  test('longer than the limit is cut between characters, with a note', async () => {
    const { content } = await read('txt', '😀'.repeat(1_100_000))
    expect(content.length).toBeLessThan(MAX_SYMBOLS + 100)
    expect(content).toMatch(/😀\n\n\[Файл прочитан не до конца: взяты первые 2 000 000 символов\.\]$/)
  })

  test('longer than the limit is not cut inside a phone number (S10.618)', async () => {
    const { content } = await read('txt', `${'я'.repeat(MAX_SYMBOLS - 12)} +7 (987) 654-32-10 и дальше`)
    expect(content).toMatch(/я \n\n\[Файл прочитан не до конца/)
  })

  test('a million spaces in a row are read quickly', async () => {
    let content = ''
    const ms = await cpuMs(async () => {
      content = await text('md', `a${' '.repeat(1_000_000)}b${'\n'.repeat(1_000_000)}c`)
    })
    expect(content).toMatch(/^a {1000000}b\n\nc$/)
    // It takes less than a second; work that grows with the square of the length would take hours.
    expect(ms).toBeLessThan(20_000)
  })
})
