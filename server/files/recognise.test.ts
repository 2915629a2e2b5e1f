import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { testFolder } from '#server/testing/folder.ts'
import { safeFileName } from './file-name.ts'
import { recogniseFile } from './recognise.ts'
import { makeGif, makeJpeg, makePng, makeWebp } from './testing/make-images.ts'
import { makeDocx, makeXlsx, paragraph } from './testing/make-office.ts'
import { makePdf } from './testing/make-pdf.ts'
import { documents } from './types.ts'

const folder = testFolder()

let made = 0
async function kindOf(name: string, content: string | Buffer) {
  const path = join(folder, String(++made))
  const bytes = Buffer.from(content)
  await writeFile(path, bytes)
  return recogniseFile({ path, bytes: bytes.length }, name)
}

const docx = makeDocx(paragraph('Текст'))
const xlsx = makeXlsx({ Лист1: '<row r="1"><c r="A1"><v>1</v></c></row>' })
const russian = 'Съешь ещё этих мягких французских булок, да выпей чаю. '
const cfb = (inside = '') =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(inside, 'utf16le')])
const exe = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(512), Buffer.from('PE\0\0')])
const archive = Buffer.from(zipSync({ 'a.txt': new Uint8Array(10) }))

const open = (kind: string) =>
  Buffer.from(
    zipSync({
      mimetype: [new TextEncoder().encode(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
      'content.xml': new Uint8Array(1),
    }),
  )

function withComment(zip: Buffer, length: number): Buffer {
  const longer = Buffer.concat([zip, Buffer.alloc(length, 'x')])
  longer.writeUInt16LE(length, zip.length - 2)
  return longer
}

describe('is recognised by its content (S10.734)', () => {
  test.each([
    ['a.pdf', makePdf(['x']), 'application/pdf'],
    ['photo.jpg', makePdf(['x']), 'application/pdf'],
    ['late.pdf', Buffer.concat([Buffer.alloc(900, 1), makePdf(['x'])]), 'application/pdf'],
    ['a.docx', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['without-extension', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.xlsx', xlsx, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    [
      'short-comment.docx',
      withComment(docx, 20).subarray(0, -1),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['a.pptx', Buffer.from(zipSync({ 'ppt/presentation.xml': new Uint8Array(1) })), documents.pptx.mime],
    ['a.doc', cfb('WordDocument\0'), 'application/msword'],
    ['a.xls', cfb('Workbook\0'), 'application/vnd.ms-excel'],
    ['a.odt', open('text'), documents.odt.mime],
    ['a.ods', open('spreadsheet'), documents.ods.mime],
    ['a.odp', open('presentation'), documents.odp.mime],
    ['book.epub', Buffer.from(zipSync({ 'META-INF/container.xml': new Uint8Array(1) })), documents.epub.mime],
    ['book.fb2', '<?xml version="1.0"?><FictionBook xmlns="x"/>', documents.fb2.mime],
    ['a.rtf', '{\\rtf1 text}', 'application/rtf'],
    ['wide.txt', iconv.encode(russian, 'utf-32', { addBOM: true }), 'text/plain'],
    ['dos.txt', iconv.encode(russian, 'cp866'), 'text/plain'],
    ['a.png', makePng(10, 10), 'image/png'],
    ['a.txt', makePng(10, 10), 'image/png'],
    ['a.jpg', makeJpeg(800, 600), 'image/jpeg'],
    ['a.gif', makeGif(8, 6), 'image/gif'],
    ['a.webp', makeWebp('VP8 ', 8, 6), 'image/webp'],
    ['a.txt', russian, 'text/plain'],
    ['a.TXT', iconv.encode(russian, 'windows-1251'), 'text/plain'],
    ['a.txt', iconv.encode(russian, 'koi8-r'), 'text/plain'],
    ['a.txt', iconv.encode(russian, 'utf-16', { addBOM: true }), 'text/plain'],
    ['notes.md', `# ${russian}`, 'text/markdown'],
    ['table.csv', 'a;b\n1;2', 'text/csv'],
    ['page.html', '<p>без головы', 'text/html'],
    ['saved', '\n<!-- saved --><!DOCTYPE html><html><body>x', 'text/html'],
    ['main.rs', 'fn main() {}', 'text/plain'],
    ['data.xml', '<?xml version="1.0"?><root/>', 'text/plain'],
    ['bmw.txt', 'BMW: немецкие автомобили', 'text/plain'],
    ['page.md', `${'я'.repeat(40_000)}`, 'text/markdown'],
  ])('%s %#', async (name, content, mime) => {
    expect(await kindOf(name, content)).toEqual({ kind: mime.startsWith('image/') ? 'image' : 'document', mime })
  })
})

describe('is rejected with 415, its name and what to do (S10.734)', () => {
  test.each([
    ['an old file of no known kind', 'a.doc', cfb(), /старого формата/],
    ['old slides', 'a.ppt', cfb('PowerPoint Document\0'), /PPT не читаются/],
    ['an email of Outlook', 'a.msg', cfb('__properties_version1.0\0'), /Письма Outlook/],
    ['DjVu', 'a.djvu', Buffer.concat([Buffer.from('AT&TFORM\0\0\0\x10DJVUINFO'), Buffer.alloc(80)]), /DjVu/],
    ['a document of Pages', 'a.pages', Buffer.from(zipSync({ 'Index/Document.iwa': new Uint8Array(1) })), /Pages/],
    ['a locked workbook', 'a.xlsx', cfb('EncryptedPackage\0'), /защищён паролем/],
    ['an archive', 'a.zip', archive, /Архивы/],
    ['an archive of another kind', 'a.gz', gzipSync('text'), /Архивы/],
    ['an archive under the name of a document', 'a.docx', archive, /не то, что обещает/],
    ['a cut-off document', 'a.docx', docx.subarray(0, -30), /не то, что обещает/],
    ['a program', 'setup.exe', exe, /Программы/],
    ['a program under the name of a document', 'invoice.pdf', exe, /Программы/],
    ['an SVG', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /SVG/],
    ['an SVG under the name of an image', 'a.png', '<?xml version="1.0"?>\n<!-- x -->\n<svg:svg></svg:svg>', /SVG/],
    ['an SVG under the name of a text', 'a.txt', '\uFEFF<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"><svg/>', /SVG/],
    ['a text under the name of an image', 'a.png', 'просто текст', /не то, что обещает/],
    [
      'an image of another kind',
      'a.ico',
      Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.alloc(100)]),
      /Картинки такого вида/,
    ],
    [
      'sound',
      'a.mp3',
      Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'), Buffer.alloc(4000)]),
      /Расшифровку/,
    ],
    ['bytes without a meaning', 'a.txt', Buffer.from([1, 2, 3, 0, 200, 201]), /Подойдут PDF/],
    ['a text with a zero in it', 'a.txt', 'text\0text', /Подойдут PDF/],
    ['an image without a size', 'a.png', makePng(0, 10), /повреждена/],
    ['half an image', 'a.jpg', makeJpeg(8, 6).subarray(0, 6), /повреждена|Подойдут/],
  ])('%s', async (_, name, content, message) => {
    await expect(kindOf(name, content)).rejects.toMatchObject({ status: 415, message })
  })
})

test('an image above 40 megapixels is rejected by its header', async () => {
  const tooLarge = { status: 413, message: /слишком большая/ }
  await expect(kindOf('a.png', makePng(8000, 5001))).rejects.toMatchObject(tooLarge)
  await expect(kindOf('a.png', makePng(4_000_000_000, 4_000_000_000))).rejects.toMatchObject(tooLarge)
  await expect(kindOf('a.jpg', makeJpeg(9000, 9000, 300_000))).rejects.toMatchObject(tooLarge)
  await expect(kindOf('a.gif', makeGif(65_535, 65_535))).rejects.toMatchObject(tooLarge)
  for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const) {
    await expect(kindOf('a.webp', makeWebp(form, 16_000, 9000))).rejects.toMatchObject({
      ...tooLarge,
      message: /16000 × 9000/,
    })
  }
  expect(await kindOf('a.png', makePng(8000, 5000))).toMatchObject({ mime: 'image/png' })
  expect(await kindOf('a.jpg', makeJpeg(6000, 4000, 300_000))).toMatchObject({ mime: 'image/jpeg' })
})

test('a file name is a path’s last part, visible and short', () => {
  expect(safeFileName('отчёт.pdf')).toBe('отчёт.pdf')
  expect(safeFileName('../../etc/passwd')).toBe('passwd')
  expect(safeFileName('C:\\Users\\Анна\\план.docx')).toBe('план.docx')
  expect(safeFileName('a\r\nSet-Cookie: x\0.txt')).toBe('aSet-Cookie: x.txt')
  expect(safeFileName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe')
  expect(safeFileName('й.txt'.normalize('NFD'))).toBe('й.txt')
  expect(safeFileName('..')).toBe('Файл без имени')
  expect(safeFileName(' / ')).toBe('Файл без имени')
  const long = safeFileName(`${'😀'.repeat(500)}.pdf`)
  expect([...long]).toHaveLength(200)
  expect(long).toMatch(/😀\.pdf$/)
})
