import { openPromise } from 'yauzl'
import { AppError } from '#server/lib/errors.ts'
import { refuse } from './rejections.ts'
import { documents, type FileType } from './types.ts'
import { MAX_ENTRIES } from './unzip.ts'

/** What a zip is, by the names in its directory: nothing is unpacked here. */
export async function officeType(path: string, extension: string): Promise<FileType> {
  const otherwise = refuse(/^(docx|xlsx)$/.test(extension) ? 'disguised' : 'archive')
  const zip = await openPromise(path).catch(() => null)
  if (!zip) throw otherwise
  try {
    let seen = 0
    for await (const { fileName } of zip.eachEntry()) {
      if (/^word\/document\d*\.xml$/.test(fileName)) return documents.docx
      if (fileName === 'xl/workbook.xml') return documents.xlsx
      if (fileName.startsWith('ppt/')) throw refuse('slides')
      if (fileName === 'META-INF/manifest.xml') throw refuse('openOffice')
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
