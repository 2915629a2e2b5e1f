import { readBody } from './docx/body.ts'
import { createLabels } from './docx/numbering.ts'
import { readStyles } from './docx/styles.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { joinParts, type ReadText, tidy, unlessAllStruck } from './text.ts'
import { decodeXml, relationships } from './xml.ts'
import { unzipDocument } from './zip.ts'

/**
 * The text of a Word document with its headings, numbers of clauses, tables, notes and formulas; headers and footers once
 * each, where they differ. Images are dropped, deleted and hidden text is left out, linked files are not read.
 */
export async function readDocx(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes)
  const xml = (path: string | undefined) => {
    const part = path === undefined ? undefined : parts.get(path)
    return part ? decodeXml(part) : ''
  }
  const main = [...relationships(xml('_rels/.rels'), '').values()].find(({ type }) => type === 'officeDocument')
  const path = main?.target ?? 'word/document.xml'
  const document = xml(path)
  // A part that breaks off would be read as a shorter paper.
  if (!/<\/(?:\w+:)?document\s*>|<(?:\w+:)?document\b[^>]*\/>/.test(document)) throw new Unreadable(BROKEN)
  const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
  const related = [...relationships(xml(`${folder}/_rels/${name}.rels`), folder).values()]
  const pathsOf = (type: string) => related.filter((part) => part.type === type).map(({ target }) => target)

  const styles = readStyles(xml(pathsOf('styles')[0]))
  const numbering = xml(pathsOf('numbering')[0])
  const notes = new Map([
    ...readBody(xml(pathsOf('footnotes')[0]), { styles }).notes,
    ...readBody(xml(pathsOf('endnotes')[0]), { styles }).notes,
  ])
  /** A document may have three headers and three footers in each section, and most repeat each other. */
  const margins = (type: string) => {
    const texts = pathsOf(type).map((part) => readBody(xml(part), { styles }).text)
    return [...new Set(texts)].filter((text) => /\p{L}|\d.*\d/u.test(text))
  }
  const text = unlessAllStruck(
    (keepsStruck) => readBody(document, { styles, labelOf: createLabels(numbering, styles), notes, keepsStruck }).text,
  )
  const whole = [...margins('header'), text, ...margins('footer')].filter(Boolean).join('\n\n')
  return joinParts([{ name: null, text: tidy(whole) }])
}
