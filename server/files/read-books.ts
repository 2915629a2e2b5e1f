import { decoded, type Notes, noNotes, placeNotes } from './html/notes.ts'
import { type Page, parsePage } from './html/page.ts'
import { markRaised, type Raised, writeRaised } from './raised.ts'
import { pageText } from './read-html.ts'
import { LOCKED, Unreadable } from './rejections.ts'
import { type DocumentPart, joinParts, MAX_SYMBOLS, type ReadText, tidy, unlessAllStruck } from './text.ts'
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
  let texts: string[] = []
  unlessAllStruck((keepsStruck) => {
    texts = chapterTexts(chapters, (path) => parsePage(xml(path), keepsStruck))
    return texts.join('')
  })
  return joinParts(texts.map((text, index): DocumentPart => ({ name: `раздел ${index + 1}`, text })))
}

/** Notes may stand in a chapter of their own; those that were found leave it. */
function chapterTexts(paths: readonly string[], pageOf: (path: string) => Page): string[] {
  const pages = new Map<string, Page>()
  const known = new Set(paths)
  const notes: Notes = noNotes()
  return paths.map((path) => {
    const page = pages.get(path) ?? pageOf(path)
    const folder = path.split('/').slice(0, -1).join('/')
    const find = (link: string) => {
      const [file = '', id = ''] = link.split('#')
      const target = resolvePath(folder, decoded(file))
      if (!known.has(target)) return null
      const other = target === path ? page : (pages.get(target) ?? pageOf(target))
      if (other !== page) pages.set(target, other)
      return other.ids.get(decoded(id)) ?? null
    }
    placeNotes(page, { ...notes, find })
    return pageText(page)
  })
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

/** Embedded images and the data about the file are not text. */
const skipped = new Set(['binary', 'document-info', 'publish-info', 'custom-info', 'src-title-info', 'stylesheet'])

/** The text of an FB2 book: title and annotation, then its sections with their titles; notes after their paragraphs. */
export function readFb2(bytes: Uint8Array): ReadText {
  const xml = decodeXml(bytes)
  const text = unlessAllStruck((keepsStruck) => {
    const notes = new Map<string, string>()
    readFb2Lines(xml, { notes, keepsStruck, isCollecting: true })
    return tidy(readFb2Lines(xml, { notes, keepsStruck, isCollecting: false }).join('\n'))
  })
  return joinParts([{ name: null, text }])
}

interface Fb2 {
  /** By id; they stand in a body of their own. */
  notes: Map<string, string>
  keepsStruck: boolean
  /** The first pass takes the notes, the second one the rest. */
  isCollecting: boolean
}

const raisedBy: Record<string, Raised> = { sup: 'super', sub: 'sub' }
const lineEnds = new Set(['p', 'v', 'subtitle', 'book-title', 'text-author', 'td', 'th'])

function readFb2Lines(xml: string, { notes, keepsStruck, isCollecting }: Fb2): string[] {
  const lines: string[] = []
  const marks = new Map<string, string>()
  const raised: Raised[] = []
  let [line, depth, titled, symbols, struck]: [string, number, number, number, number] = ['', 0, 0, 0, 0]
  let [isNotes, note, isLink]: [boolean, string, boolean] = [false, '', false]
  let waiting: string[] = []
  const refer = (id: string) => {
    const text = notes.get(id)
    if (isCollecting || isNotes || !text) return
    isLink = true
    if (struck > 0 && !keepsStruck) return
    const mark = marks.get(id) ?? `[сноска ${marks.size + 1}]`
    line += mark
    if (!marks.has(id)) waiting.push(`${mark} ${text}\n`)
    marks.set(id, mark)
  }
  const addLine = (name: string) => {
    const text = writeRaised(line).replace(/\s+/g, ' ').trim()
    line = ''
    if (text === '' || symbols > MAX_SYMBOLS) return
    symbols += text.length
    if (isCollecting) {
      if (isNotes && note !== '' && titled === 0) notes.set(note, `${notes.get(note) ?? ''} ${text}`.trim())
      return
    }
    // Only notes that nothing refers to stay in their place.
    if (isNotes && (note === '' ? marks.size === notes.size : marks.has(note))) return
    const isHeading = titled > 0 || name === 'subtitle' || name === 'book-title'
    lines.push(isHeading ? `\n${'#'.repeat(Math.min(depth + 1, 6))} ${text}\n` : name === 'v' ? text : `${text}\n`)
    if (waiting.length > 0) lines.push(...waiting.map((each) => `${name === 'v' ? '\n' : ''}${each}`))
    waiting = []
  }
  readXml(xml, {
    skip: skipped,
    open: (name, attribute) => {
      if (name === 'body') isNotes = /^(?:notes|comments)$/.test(attribute('name') ?? '')
      if (name === 'section') depth += 1
      if (name === 'section' && isNotes) note = attribute('id') ?? ''
      if (name === 'title') titled += 1
      if (name === 'strikethrough') struck += 1
      if (raisedBy[name]) raised.push(raisedBy[name])
      if (name === 'a' && attribute('type') === 'note') refer((attribute('href') ?? '').replace(/^#/, ''))
    },
    text: (text) => {
      if (!isLink && (struck === 0 || keepsStruck)) line += markRaised(text, raised.at(-1) ?? null)
    },
    close: (name) => {
      if (name === 'section') depth -= 1
      if (name === 'strikethrough') struck -= 1
      if (name === 'a') isLink = false
      if (raisedBy[name]) raised.pop()
      if (lineEnds.has(name)) addLine(name)
      if (name === 'title') titled -= 1
      if (['first-name', 'middle-name', 'last-name'].includes(name)) line += ' '
      if (['author', 'genre', 'lang', 'date', 'id', 'nickname'].includes(name)) line = ''
    },
  })
  return lines
}
