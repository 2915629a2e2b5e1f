import mammoth from 'mammoth'
import { htmlText } from './read-html.ts'
import { joinParts, type ReadText, tidy } from './text.ts'
import { decodeXml, readXml, relationships } from './xml.ts'
import { unzipDocument, zipStored } from './zip.ts'

/**
 * The text of a Word document with its headings, lists and tables; headers and footers once each, where they differ.
 * Images are dropped, linked files are not read.
 */
export async function readDocx(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes)
  const { headers, footers } = marginsOf(parts)
  const buffer = Buffer.from(zipStored(parts))
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: noImages, externalFileAccess: false })
  const text = [...headers, htmlText(value), ...footers].filter(Boolean).join('\n\n')
  return joinParts([{ name: null, text: tidy(text) }])
}

const noImages = mammoth.images.imgElement(async () => ({ src: '' }))

/** A document may have three headers and three footers in each section, and most repeat each other. */
function marginsOf(parts: Map<string, Buffer>): { headers: string[]; footers: string[] } {
  const rels = [...parts].find(([name]) => /^word\/_rels\/document\d*\.xml\.rels$/.test(name))?.[1]
  const related = [...relationships(rels ? decodeXml(rels) : '', 'word').values()]
  const textsOf = (type: string) => {
    const paths = related.filter((part) => part.type === type).map(({ target }) => target)
    const texts = paths.map((path) => paragraphsOf(parts.get(path))).filter((text) => /\p{L}|\d.*\d/u.test(text))
    return [...new Set(texts)]
  }
  return { headers: textsOf('header'), footers: textsOf('footer') }
}

/** A text box is stored twice, for old and new readers: the second copy is `Fallback`. */
function paragraphsOf(part: Buffer | undefined): string {
  const lines: string[] = []
  let [line, isText, copies] = ['', false, 0]
  readXml(part ? decodeXml(part) : '', {
    open: (name) => {
      if (name === 'Fallback') copies += 1
      isText = name === 't' && copies === 0
      if (name === 'tab' || name === 'br') line += ' '
    },
    text: (text) => {
      if (isText) line += text
    },
    close: (name) => {
      isText = false
      if (name === 'Fallback') copies -= 1
      if (name !== 'p') return
      lines.push(line.replace(/\s+/g, ' ').trim())
      line = ''
    },
  })
  return lines.filter(Boolean).join('\n')
}
