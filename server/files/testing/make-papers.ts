import { makeZip } from './make-office.ts'

/** An OpenDocument file with the given XML as the content of its body. */
export function makeOdf(kind: 'text' | 'spreadsheet' | 'presentation', body: string, styles = ''): Buffer {
  const names = ['office', 'text', 'table', 'draw', 'style'].map((name) => `xmlns:${name}="${name}"`).join(' ')
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest/>',
    'content.xml': `<office:document-content ${names}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${names}><office:master-styles>${styles}</office:master-styles></office:document-styles>`,
  })
}

/** A presentation: the text of each slide in paragraphs, or XML that goes into its shapes; notes by the number of a slide. */
export function makePptx(
  slides: string[][],
  { notes = {}, shapes = '' }: { notes?: Record<number, string>; shapes?: string } = {},
): Buffer {
  const related = (pairs: [id: string, type: string, target: string][]) =>
    `<Relationships>${pairs.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`
  const shape = (lines: string[]) =>
    `<p:sp><p:txBody>${lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`
  const numbers = slides.map((_, at) => at + 1)
  return makeZip({
    // The files are numbered backwards: the order is that of the presentation.
    'ppt/presentation.xml': `<p:presentation xmlns:r="r"><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': related(
      numbers.map((n) => [`rId${n}`, 'slide', `slides/slide${slides.length + 1 - n}.xml`]),
    ),
    ...Object.fromEntries(
      slides.map((lines, at) => [
        `ppt/slides/slide${slides.length - at}.xml`,
        `<p:sld>${shape(lines)}${at === 0 ? shapes : ''}</p:sld>`,
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(notes).flatMap(([n, text]) => [
        [
          `ppt/slides/_rels/slide${slides.length + 1 - Number(n)}.xml.rels`,
          related([['rId1', 'notesSlide', `../notesSlides/notes${n}.xml`]]),
        ],
        [
          `ppt/notesSlides/notes${n}.xml`,
          `<p:notes>${shape([text])}<p:sp><p:nvPr><p:ph type="sldNum"/></p:nvPr><p:txBody><a:p><a:r><a:t>77</a:t></a:r></a:p></p:txBody></p:sp></p:notes>`,
        ],
      ]),
    ),
  })
}

/** A book whose chapters are the given pages, in this order. */
export function makeEpub(chapters: string[]): Buffer {
  const files = chapters.map((_, at) => `text/c%20${chapters.length - at}.xhtml`)
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><manifest>${files.map((file, at) => `<item id="i${at}" href="${file}"/>`).join('')}</manifest><spine>${files.map((_, at) => `<itemref idref="i${at}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((html, at) => [
        `OEBPS/text/c ${chapters.length - at}.xhtml`,
        `<?xml version="1.0"?><html><head><title>Книга</title></head><body>${html}</body></html>`,
      ]),
    ),
  })
}
