import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { openPromise } from 'yauzl'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { extensionOf } from './file-name.ts'
import { imageSize, type ReadAt } from './image-size.ts'
import { rejectFile, rejectionOf } from './rejections.ts'
import { decodeText, looksLikeText } from './text.ts'
import { documents, type FileType, images } from './types.ts'
import { MAX_ENTRIES } from './zip.ts'

const HEAD = 64 * 1024
const MAX_PIXELS = 40_000_000
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
    if (head.toString('latin1', 0, 4) === 'PK\x03\x04') return await officeType(file.path, extensionOf(name))
    if (/^\s*%PDF-/.test(head.toString('latin1', 0, 32))) return documents.pdf
    if (looksLikeText(head, file.bytes > HEAD)) return textType(decodeText(wholeCharacters(head)), extensionOf(name))
    return await binaryType(head, read)
  } finally {
    await handle.close()
  }
}

/** The type of a zip by the names in its directory; nothing is unpacked. */
async function officeType(path: string, extension: string): Promise<FileType> {
  const otherwise = rejectFile(/^(docx|xlsx)$/.test(extension) ? 'disguised' : 'archive')
  const zip = await openPromise(path).catch(() => null)
  if (!zip) throw otherwise
  try {
    let seen = 0
    for await (const { fileName } of zip.eachEntry()) {
      if (/^word\/document\d*\.xml$/.test(fileName)) return documents.docx
      if (fileName === 'xl/workbook.xml') return documents.xlsx
      if (fileName.startsWith('ppt/')) throw rejectFile('slides')
      if (fileName === 'META-INF/manifest.xml') throw rejectFile('openOffice')
      seen += 1
      if (seen > MAX_ENTRIES) break
    }
  } catch (error) {
    throw error instanceof AppError ? error : otherwise
  } finally {
    zip.close()
  }
  throw otherwise
}

async function binaryType(head: Buffer, read: ReadAt): Promise<FileType> {
  const mime = (await fileTypeFromBuffer(head))?.mime.replace('image/apng', 'image/png')
  const image = mime && images.get(mime)
  if (image) {
    await checkSize(read, image.mime)
    return image
  }
  if (mime === 'application/x-cfb' && head.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    throw rejectFile('locked')
  if (mime && mime !== documents.pdf.mime) throw rejectFile(rejectionOf(mime))
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return documents.pdf
  throw rejectFile('unknown')
}

async function checkSize(read: ReadAt, mime: string): Promise<void> {
  const size = await imageSize(read, mime)
  if (!size) throw rejectFile('brokenImage')
  const { width, height } = size
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
  /^(png|apng|jpe?g|webp|gif|bmp|tiff?|heic|heif|avif|ico|psd|pdf|docx?|xlsx?|pptx?|od[tsp]|zip|rar|7z|gz|tar|exe|dll|msi|mp[34]|m4a|wav|ogg|mov|avi|mkv|webm)$/

function textType(head: string, extension: string): FileType {
  const element = firstElement(head)
  if (element === 'svg') throw rejectFile('vector')
  if (head.startsWith('{\\rtf')) throw rejectFile('richText')
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
