import mammoth from 'mammoth'
import readSheets from 'read-excel-file/universal'
import { readHtml } from './read-html.ts'
import { type Cell, type DocumentPart, joinParts, type ReadText, rowText, tidy } from './text.ts'
import { unzipDocument, zipStored } from './zip.ts'

/** The text of a Word document with its headings, lists and tables. Images are dropped, linked files are not read. */
export async function readDocx(bytes: Uint8Array): Promise<ReadText> {
  const buffer = Buffer.from(zipStored(await unzipDocument(bytes)))
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage: noImages, externalFileAccess: false })
  return readHtml(value)
}

const noImages = mammoth.images.imgElement(async () => ({ src: '' }))

/** The sheets of a workbook as rows with cells separated by tabs; formulas as their results. */
export async function readXlsx(bytes: Uint8Array): Promise<ReadText> {
  const sheets = await readSheets(zipStored(await unzipDocument(bytes)))
  return joinParts(sheets.map(sheetPart))
}

function sheetPart({ sheet, data }: { sheet: string; data: unknown[][] }): DocumentPart {
  const rows = data.map((row) => rowText(row as Cell[])).filter(Boolean)
  const name = tidy(sheet)
  return { name: `лист «${name}»`, text: rows.length === 0 ? '' : `## Лист «${name}»\n\n${tidy(rows.join('\n'))}` }
}
