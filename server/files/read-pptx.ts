import { tableText } from './markdown-table.ts'
import { slidePart } from './read-odf.ts'
import { type DocumentPart, joinParts, type ReadText } from './text.ts'
import { decodeXml, readXml, relationships } from './xml.ts'
import { unzipDocument } from './zip.ts'

/** The slides of a presentation in their order, with tables and the notes of the speaker. */
export async function readPptx(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes)
  const xml = (path: string) => {
    const part = parts.get(path)
    return part ? decodeXml(part) : ''
  }
  const related = relationships(xml('ppt/_rels/presentation.xml.rels'), 'ppt')
  const slides: string[] = []
  readXml(xml('ppt/presentation.xml'), {
    open: (name, attribute) => {
      const target = name === 'sldId' ? related.get(attribute('r:id') ?? '')?.target : undefined
      if (target) slides.push(target)
    },
  })
  return joinParts(slides.map((path, index) => slideOf(path, index + 1, xml)))
}

function slideOf(path: string, number: number, xml: (path: string) => string): DocumentPart {
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  const related = relationships(xml(`${folder}/_rels/${name}.rels`), folder)
  const notes = [...related.values()].find(({ type }) => type === 'notesSlide')
  const spoken = notes ? linesOf(xml(notes.target)) : []
  return slidePart(number, [...linesOf(xml(path)), ...(spoken.length > 0 ? [`\nЗаметки: ${spoken.join(' ')}`] : [])])
}

/** Places for the number of the slide, the date and the footer repeat on every slide. */
const repeated = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function linesOf(xml: string): string[] {
  const lines: string[] = []
  let [line, isText, isRepeated, copies] = ['', false, false, 0]
  let table: string[][] | null = null
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'Fallback') copies += 1
      if (name === 'sp') isRepeated = false
      if (name === 'ph' && repeated.has(attribute('type') ?? '')) isRepeated = true
      if (name === 'tbl') table = []
      if (name === 'tr') table?.push([])
      if (name === 'tc') table?.at(-1)?.push('')
      if (name === 'br' || name === 'tab') line += ' '
      isText = name === 't' && copies === 0
    },
    text: (text) => {
      if (isText) line += text
    },
    close: (name) => {
      isText = false
      if (name === 'Fallback') copies -= 1
      if (name === 'p') {
        const row = table?.at(-1)
        if (row && row.length > 0) row[row.length - 1] += ` ${line}`
        else if (line.trim() !== '' && !isRepeated) lines.push(line.replace(/\s+/g, ' ').trim())
        line = ''
      }
      if (name === 'tbl') {
        lines.push(`\n${tableText(table ?? [])}\n`)
        table = null
      }
    },
  })
  return lines
}
