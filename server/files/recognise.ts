import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '#server/lib/errors.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { extensionOf } from './file-name.ts'
import { imageSize, type ReadAt } from './image-size.ts'
import { officeType } from './office-type.ts'
import { refuse, rejectionOf } from './rejections.ts'
import { decodeText, looksLikeText } from './text-encoding.ts'
import { documents, type FileType, images } from './types.ts'

const HEAD = 64 * 1024
const MAX_PIXELS = 40_000_000
const PDF_HEADER_WITHIN = 1024

/** What a file is, by what is in it. The name only tells kinds of text apart. Throws for what we do not take. */
export async function recognise(file: LocalFile, name: string): Promise<FileType> {
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

async function binaryType(head: Buffer, read: ReadAt): Promise<FileType> {
  const mime = (await fileTypeFromBuffer(head))?.mime.replace('image/apng', 'image/png')
  const image = mime && images.get(mime)
  if (image) {
    await checkSize(read, image.mime)
    return image
  }
  if (mime === 'application/x-cfb' && head.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw refuse('locked')
  if (mime && mime !== documents.pdf.mime) throw refuse(rejectionOf(mime))
  if (head.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-')) return documents.pdf
  throw refuse('unknown')
}

async function checkSize(read: ReadAt, mime: string): Promise<void> {
  const size = await imageSize(read, mime)
  if (!size) throw refuse('brokenPicture')
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
const notTexts =
  /^(png|apng|jpe?g|webp|gif|bmp|tiff?|heic|heif|avif|ico|psd|pdf|docx?|xlsx?|pptx?|od[tsp]|zip|rar|7z|gz|tar|exe|dll|msi|mp[34]|m4a|wav|ogg|mov|avi|mkv|webm)$/

function textType(head: string, extension: string): FileType {
  const element = firstElement(head)
  if (element === 'svg') throw refuse('vector')
  if (head.startsWith('{\\rtf')) throw refuse('richText')
  if (notTexts.test(extension)) throw refuse('disguised')
  if (element === 'html' || pages.has(extension)) return documents.html
  if (markdown.has(extension)) return documents.md
  return tables.has(extension) ? documents.csv : documents.txt
}

/** The name of the root of a document in tags; what may stand before it is skipped. */
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

/** A head of a file in two bytes a letter must not end in half a letter. */
const wholeCharacters = (head: Buffer) => head.subarray(0, head.length & ~1 || head.length)
