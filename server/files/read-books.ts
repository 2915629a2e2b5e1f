import { htmlText } from './read-html.ts'
import { LOCKED, Unreadable } from './rejections.ts'
import { type DocumentPart, joinParts, MAX_SYMBOLS, type ReadText, tidy } from './text.ts'
import { decodeXml, readXml, resolvePath } from './xml.ts'
import { unzipDocument } from './zip.ts'

/** The chapters of an EPUB in the order of its spine. */
export async function readEpub(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes, /\.(xml|opf|x?html?)$/i)
  const xml = (path: string) => {
    const part = parts.get(path)
    return part ? decodeXml(part) : ''
  }
  if (/EncryptedData[\s\S]*xmlenc#aes/.test(xml('META-INF/encryption.xml'))) throw new Unreadable(LOCKED)
  let packagePath = ''
  readXml(xml('META-INF/container.xml'), {
    open: (name, attribute) => {
      if (name === 'rootfile') packagePath ||= attribute('full-path') ?? ''
    },
  })
  const chapters = spineOf(xml(packagePath), packagePath.split('/').slice(0, -1).join('/'))
  return joinParts(
    chapters.map((path, index): DocumentPart => ({ name: `раздел ${index + 1}`, text: htmlText(xml(path)) })),
  )
}

function spineOf(xml: string, folder: string): string[] {
  const files = new Map<string, string>()
  const order: string[] = []
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'item') files.set(attribute('id') ?? '', resolvePath(folder, decoded(attribute('href') ?? '')))
      if (name === 'itemref') order.push(attribute('idref') ?? '')
    },
  })
  return order.flatMap((id) => files.get(id) ?? [])
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Embedded images and the data about the file are not text. */
const skipped = new Set(['binary', 'document-info', 'publish-info', 'custom-info', 'src-title-info', 'stylesheet'])

/** The text of an FB2 book: title and annotation, then its sections with their titles. */
export function readFb2(bytes: Uint8Array): ReadText {
  const lines: string[] = []
  let [line, depth, titled, symbols] = ['', 0, 0, 0]
  readXml(decodeXml(bytes), {
    skip: skipped,
    open: (name) => {
      if (name === 'section') depth += 1
      if (name === 'title') titled += 1
    },
    text: (text) => {
      line += text
    },
    close: (name) => {
      if (name === 'section') depth -= 1
      if (['p', 'v', 'subtitle', 'book-title', 'text-author', 'td', 'th'].includes(name)) {
        const text = line.replace(/\s+/g, ' ').trim()
        line = ''
        if (text === '' || symbols > MAX_SYMBOLS) return
        symbols += text.length
        const isHeading = titled > 0 || name === 'subtitle' || name === 'book-title'
        lines.push(isHeading ? `\n${'#'.repeat(Math.min(depth + 1, 6))} ${text}\n` : name === 'v' ? text : `${text}\n`)
      }
      if (name === 'title') titled -= 1
      if (['first-name', 'middle-name', 'last-name'].includes(name)) line += ' '
      if (['author', 'genre', 'lang', 'date', 'id', 'nickname'].includes(name)) line = ''
    },
  })
  return joinParts([{ name: null, text: tidy(lines.join('\n')) }])
}
