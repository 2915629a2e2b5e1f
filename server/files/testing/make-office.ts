import { type Zippable, zipSync } from 'fflate'

const text = (content: string) => new TextEncoder().encode(content)
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

export type Parts = Record<string, string | Uint8Array>

export const makeZip = (parts: Parts): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? text(part) : part]),
      ) as Zippable,
      { level: 6 },
    ),
  )

/** A Word document with the given XML as its body; `extra` parts are added or replace the usual ones. */
export function makeDocx(body: string, extra: Parts = {}): Buffer {
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relationships}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/image"><w:body>${body}</w:body></w:document>`,
    ...extra,
  })
}

export const paragraph = (words: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${words}</w:t></w:r></w:p>`

export const docxStyles = {
  'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  'word/_rels/document.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
}

/** An image that is linked instead of embedded: a file of the server or another host. */
export function withExternalImage(target: string): { body: string; parts: Parts } {
  return {
    body: `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
    parts: {
      'word/_rels/document.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId9" Type="${relationships}/image" Target="${target}" TargetMode="External"/></Relationships>`,
    },
  }
}

/** A workbook with the given XML as the data of each sheet, by the name of the sheet. */
export function makeXlsx(sheets: Record<string, string>, extra: Parts = {}): Buffer {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...extra,
  })
}

/** Forges the directory: each part claims to unpack to `size` bytes. */
export function lieAboutSizes(archive: Buffer, size: number): Buffer {
  const lied = Buffer.from(archive)
  for (let at = lied.indexOf('PK\x01\x02'); at >= 0; at = lied.indexOf('PK\x01\x02', at + 4))
    lied.writeUInt32LE(size, at + 24)
  return lied
}

export function lockZip(archive: Buffer): Buffer {
  const locked = Buffer.from(archive)
  for (let at = locked.indexOf('PK\x01\x02'); at >= 0; at = locked.indexOf('PK\x01\x02', at + 4))
    locked.writeUInt16LE(locked.readUInt16LE(at + 8) | 1, at + 8)
  return locked
}
