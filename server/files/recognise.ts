import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { decodeText, looksLikeText } from './encoding.ts'
import { extensionOf } from './file-name.ts'
import { imageSize, type ReadAt } from './image-size.ts'
import { rejectFile, rejectionOf } from './rejections.ts'

import { documents, type FileType, images } from './types.ts'
import { zipNames } from './zip.ts'

const HEAD = 64 * 1024
const MAX_PIXELS = 40_000_000
/** The longer side that models see, and the shorter one in which something can be seen. */
const MAX_SIDE = 2048
const MIN_SIDE = 32
const PDF_HEADER_WITHIN = 1024

/** The name only distinguishes kinds of text. Throws for types we do not accept. */
export async function recogniseFile(file: LocalFile, name: string): Promise<FileType> {
  const handle = await open(file.path)
  try {
    const read: ReadAt = async (offset, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0, HEAD)
    if (head.toString('latin1', 0, 4) === 'PK\x03\x04')
      return zipType(head, await zipNames(read, file.bytes), extensionOf(name))
    if (/^\s*%PDF-/.test(head.toString('latin1', 0, 32))) return documents.pdf
    if (looksLikeText(head, file.bytes > HEAD)) return textType(decodeText(wholeCharacters(head)), extensionOf(name))
    if (head.readUInt32BE(0) === CFB) return compoundType(await read(0, file.bytes))
    return await binaryType(head, read)
  } finally {
    await handle.close()
  }
}

/** The first bytes of a compound file of the old Microsoft Office. */
const CFB = 0xd0cf11e0

const promised = /^(docx|xlsx|pptx|od[tsp]|epub)$/

/** The type of a zip by the names in its directory, and by its first file, which may name the type itself. */
function zipType(head: Buffer, names: readonly string[], extension: string): FileType {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (has(/^word\/document\d*\.xml$/)) return documents.docx
  if (has(/^xl\/workbook\.xml$/)) return documents.xlsx
  if (has(/^ppt\/presentation\.xml$/)) return documents.pptx
  if (has(/^META-INF\/container\.xml$/)) return documents.epub
  if (has(/^content\.xml$/)) return openType(head, extension)
  if (has(/^(Index\/Document\.iwa|Index\.zip)$/)) throw rejectFile('iwork')
  throw rejectFile(promised.test(extension) ? 'disguised' : 'archive')
}

function openType(head: Buffer, extension: string): FileType {
  const named = /^application\/vnd\.oasis\.opendocument\.[a-z]+/.exec(head.toString('latin1', 38, 100))?.[0]
  const known = [documents.odt, documents.ods, documents.odp]
  const found = named
    ? known.find(({ mime }) => mime === named)
    : extension === 'ods'
      ? documents.ods
      : extension === 'odp'
        ? documents.odp
        : documents.odt
  if (!found) throw rejectFile('openOffice')
  return found
}

/** The type of an old office file by the names of its streams. */
function compoundType(file: Buffer): FileType {
  const has = (name: string) => file.includes(Buffer.from(`${name}\0`, 'utf16le'))
  if (has('EncryptedPackage')) throw rejectFile('locked')
  if (has('WordDocument')) return documents.doc
  if (has('Workbook') || has('Book')) return documents.xls
  if (has('PowerPoint Document')) throw rejectFile('oldSlides')
  throw rejectFile(has('__properties_version1.0') ? 'outlook' : 'oldOffice')
}

async function binaryType(head: Buffer, read: ReadAt): Promise<FileType> {
  const mime = (await fileTypeFromBuffer(head))?.mime.replace('image/apng', 'image/png')
  const image = mime && images.get(mime)
  if (image) {
    await checkSize(read, image.mime)
    return image.mime === documents.tiff.mime && (await hasMorePages(read)) ? documents.tiff : image
  }
  if (mime && mime !== documents.pdf.mime) throw rejectFile(rejectionOf(mime))
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return documents.pdf
  throw rejectFile('unknown')
}

/** A TIFF of several pages is a scan; one of a single page is an image like others. */
async function hasMorePages(read: ReadAt): Promise<boolean> {
  const head = await read(0, 8)
  const isLittle = head.toString('latin1', 0, 2) === 'II'
  const number = (bytes: Buffer, length: number) =>
    bytes.length < length ? 0 : isLittle ? bytes.readUIntLE(0, length) : bytes.readUIntBE(0, length)
  const first = number(head.subarray(4), 4)
  const entries = number(await read(first, 2), 2)
  return number(await read(first + 2 + entries * 12, 4), 4) !== 0
}

async function checkSize(read: ReadAt, mime: string): Promise<void> {
  const size = await imageSize(read, mime)
  if (!size) throw rejectFile('brokenImage')
  const { width, height } = size
  // Scaled down to what models see, nothing of it would be left.
  if (Math.max(width, height) > MAX_SIDE && Math.min(width, height) * MAX_SIDE < MIN_SIDE * Math.max(width, height))
    throw new AppError(
      'unsupported_media_type',
      `Картинка ${width} × ${height} слишком вытянута: после уменьшения в ней ничего не разобрать. Разрежьте её на части и загрузите их.`,
      { field: 'file' },
    )
  if (width * height > MAX_PIXELS)
    throw new AppError(
      'payload_too_large',
      `Картинка ${width} × ${height} слишком большая: принимаются до 40 мегапикселей. Уменьшите её и загрузите снова.`,
      { field: 'file' },
    )
}

const markdown = new Set(['md', 'markdown', 'mdx'])
const tables = new Set(['csv', 'tsv'])
const pages = new Set(['html', 'htm', 'xhtml'])
const nonTextExtensions =
  /^(png|apng|jpe?g|webp|gif|bmp|tiff?|heic|heif|avif|ico|psd|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|djvu?|mobi|azw3?|zip|rar|7z|gz|tar|exe|dll|msi|mp[34]|m4a|wav|ogg|mov|avi|mkv|webm)$/

function textType(head: string, extension: string): FileType {
  const element = firstElement(head)
  if (element === 'svg') throw rejectFile('vector')
  if (head.startsWith('{\\rtf')) return documents.rtf
  if (element === 'fictionbook') return documents.fb2
  if (nonTextExtensions.test(extension)) throw rejectFile('disguised')
  if (element === 'html' || pages.has(extension)) return documents.html
  if (markdown.has(extension)) return documents.md
  return tables.has(extension) ? documents.csv : documents.txt
}

function firstElement(head: string): string | null {
  let rest = head.trimStart()
  for (let skipped = /^<(?:\?|!)/.exec(rest); skipped; skipped = /^<(?:\?|!)/.exec(rest)) {
    if (/^<!doctype\s+(html|svg)/i.test(rest)) return rest.slice(9).trimStart().slice(0, 4).toLowerCase().trimEnd()
    const end = rest.startsWith('<!--') ? '-->' : '>'
    const at = rest.indexOf(end)
    if (at < 0) return null
    rest = rest.slice(at + end.length).trimStart()
  }
  return /^<(?:[\w-]+:)?([\w-]+)/.exec(rest)?.[1]?.toLowerCase() ?? null
}

/** An even number of bytes, so that UTF-16 is not cut in the middle of a unit. */
const wholeCharacters = (head: Buffer) => head.subarray(0, head.length & ~1 || head.length)
