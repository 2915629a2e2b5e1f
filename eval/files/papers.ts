import { readdir, readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { docxStyles, makeDocx, makeXlsx, paragraph } from '#server/files/testing/make-office.ts'
import { makeDoc, makeXls, ROW_END } from '#server/files/testing/make-old-office.ts'
import { makeEpub, makeOdf, makePptx } from '#server/files/testing/make-papers.ts'
import { documents } from '#server/files/types.ts'
import { columnsPdf, formPdf, prosePdf, tablePdf } from './pdfs.ts'

/** A file and all the words that are in it. */
export interface Paper {
  kind: string
  mime: string
  bytes: Buffer
  reference: string
}

/** What a paper is made of: paragraphs of a real text and a table of its longer words. */
export interface Source {
  header: string
  paragraphs: string[]
  table: string[][]
}

const folder = new URL('../retrieval/documents/', import.meta.url)
const MAX_PARAGRAPHS = 120

export async function makePapers(): Promise<Paper[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).toSorted()
  const texts = await Promise.all(names.slice(0, 8).map((name) => readFile(new URL(name, folder), 'utf8')))
  return texts
    .map(sourceOf)
    .flatMap((source) => kinds.map(([kind, type, make]) => paperOf(kind, type, make(source), source)))
}

/** Without signs of Markdown, in characters that all encodings here have. */
function sourceOf(text: string, index: number): Source {
  const plain = iconv.decode(
    iconv.encode(
      text
        .replace(/[*_#`|>[\]()<&\\{}]/g, ' ')
        .replace(/[«»“”„]/g, '"')
        .replace(/[–—]/g, '-')
        .replaceAll('№', 'N'),
      'cp866',
    ),
    'cp866',
  )
  const paragraphs = plain
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .slice(0, MAX_PARAGRAPHS)
  const words = [...new Set(paragraphs.join(' ').match(/\p{L}{6,}/gu) ?? [])]
  const rows = Array.from({ length: 12 }, (_, row) => [
    words[row * 2] ?? 'слово',
    words[row * 2 + 1] ?? 'дело',
    String(row * 137 + index),
  ])
  return {
    header: `Договор 15-${index} от 2026 года`,
    paragraphs,
    table: [['Наименование', 'Основание', 'Сумма'], ...rows],
  }
}

type Made = Buffer | { bytes: Buffer; reference: string }

function paperOf(kind: string, type: keyof typeof documents, made: Made, source: Source): Paper {
  const all = [source.header, ...source.paragraphs, ...source.table.flat()].join('\n')
  return Buffer.isBuffer(made)
    ? { kind, mime: documents[type].mime, bytes: made, reference: all }
    : { kind, mime: documents[type].mime, ...made }
}

const only = (bytes: Buffer, ...parts: string[]): Made => ({ bytes, reference: parts.join('\n') })
const lines = ({ header, paragraphs, table }: Source) =>
  [header, ...paragraphs, ...table.map((row) => row.join('\t'))].join('\n')
const html = ({ header, paragraphs, table }: Source) =>
  `<h1>${header}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}<table>${table.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`

const kinds: [kind: string, type: keyof typeof documents, make: (source: Source) => Made][] = [
  ['PDF, cut words', 'pdf', ({ header, paragraphs }) => only(prosePdf(header, paragraphs), header, ...paragraphs)],
  ['PDF, two columns', 'pdf', ({ paragraphs }) => only(columnsPdf(paragraphs), ...paragraphs)],
  ['PDF, table', 'pdf', ({ table }) => only(tablePdf(table), ...table.flat())],
  [
    'PDF, form',
    'pdf',
    ({ table }) => only(formPdf(table), ...table.map(([label = '', value = '']) => `${label} ${value}`)),
  ],
  ['DOCX', 'docx', (source) => docx(source)],
  [
    'XLSX, no addresses',
    'xlsx',
    ({ paragraphs, table }) =>
      only(xlsx([...paragraphs.map((text) => [text]), ...table]), ...paragraphs, ...table.flat()),
  ],
  ['PPTX', 'pptx', ({ paragraphs }) => only(makePptx(paragraphs.map((text) => [text])), ...paragraphs)],
  [
    'ODT',
    'odt',
    (source) =>
      makeOdf(
        'text',
        odfBody(source),
        `<style:master-page><style:header><text:p>${source.header}</text:p></style:header></style:master-page>`,
      ),
  ],
  ['ODS', 'ods', ({ table }) => only(makeOdf('spreadsheet', odfTable(table)), ...table.flat())],
  ['RTF', 'rtf', (source) => rtf(source)],
  [
    'DOC',
    'doc',
    ({ header, paragraphs, table }) =>
      makeDoc({
        body: [
          ...paragraphs.map((text) => `${text}\r`),
          ...table.map((row) => `${row.join('\u0007')}\u0007${ROW_END}`),
        ],
        margins: `${header}\r`,
      }),
  ],
  [
    'XLS',
    'xls',
    ({ paragraphs, table }) =>
      only(makeXls({ Лист: [...paragraphs.map((text) => [text]), ...table] }), ...paragraphs, ...table.flat()),
  ],
  ['EPUB', 'epub', (source) => makeEpub([html(source)])],
  [
    'FB2, windows-1251',
    'fb2',
    ({ header, paragraphs }) =>
      only(
        iconv.encode(
          `<?xml version="1.0" encoding="windows-1251"?><FictionBook><body><section><title><p>${header}</p></title>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</section></body></FictionBook>`,
          'windows-1251',
        ),
        header,
        ...paragraphs,
      ),
  ],
  [
    'HTML, windows-1251',
    'html',
    (source) =>
      iconv.encode(
        `<html><head><meta charset="windows-1251"></head><body>${html(source)}</body></html>`,
        'windows-1251',
      ),
  ],
  ['TXT, UTF-8', 'txt', (source) => Buffer.from(lines(source))],
  ...['cp866', 'koi8-r', 'maccyrillic', 'windows-1251', 'utf-16le', 'utf-32be'].map(
    (encoding): (typeof kinds)[number] => [
      `TXT, ${encoding}`,
      'txt',
      (source) => iconv.encode(lines(source), encoding, { addBOM: false }),
    ],
  ),
  ['CSV', 'csv', ({ table }) => only(Buffer.from(table.map((row) => row.join(';')).join('\n')), ...table.flat())],
]

function docx({ header, paragraphs, table }: Source): Buffer {
  const rows = table.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`)
  return makeDocx(`${paragraphs.map((text) => paragraph(text)).join('')}<w:tbl>${rows.join('')}</w:tbl>`, {
    'word/_rels/document.xml.rels': docxStyles['word/_rels/document.xml.rels'].replace(
      '</Rel',
      '<Relationship Id="h" Type="http://x/header" Target="header1.xml"/></Rel',
    ),
    'word/header1.xml': `<w:hdr>${paragraph(header)}</w:hdr>`,
  })
}

const xlsx = (rows: string[][]) =>
  makeXlsx({
    Лист: rows.map((row) => `<row>${row.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`).join(''),
  })

const odfTable = (table: string[][]) =>
  `<table:table table:name="Лист">${table.map((row) => `<table:table-row>${row.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join('')}</table:table-row>`).join('')}</table:table>`
const odfBody = ({ paragraphs, table }: Source) =>
  `${paragraphs.map((text) => `<text:p>${text}</text:p>`).join('')}${odfTable(table)}`

function rtf({ header, paragraphs, table }: Source): Buffer {
  const escaped = (text: string) =>
    [...iconv.encode(text, 'windows-1251')]
      .map((byte) => (byte > 127 ? `\\'${byte.toString(16)}` : String.fromCharCode(byte)))
      .join('')
  const rows = table.map((row) => `\\trowd\\intbl ${row.map((cell) => `${escaped(cell)}\\cell `).join('')}\\row`)
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1251{\\fonttbl{\\f0\\fcharset204 Arial;}}\\f0{\\header ${escaped(header)}\\par}${paragraphs.map((text) => `${escaped(text)}\\par\n`).join('')}${rows.join('\n')}\\pard}`,
    'latin1',
  )
}
