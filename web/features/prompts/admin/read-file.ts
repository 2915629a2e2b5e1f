import type { ImportFormat } from '#contract/prompts-admin.ts'

/** What one request may hold, with room for its wrapping. */
export const MAX_FILE_BYTES = 1_000_000

export interface ChosenFile {
  name: string
  format: ImportFormat
  text: string
}

/** Says in a sentence why a file will not do. */
export async function readChosen(file: File): Promise<ChosenFile> {
  const format = formatOf(file.name)
  if (!format) throw new Error('Нужен файл .json или .csv.')
  const text = decode(new Uint8Array(await file.arrayBuffer()))
  if (sizeOnWire(text) > MAX_FILE_BYTES) {
    throw new Error('Файл больше 1 МБ. Разделите его на части: промпты из всех частей сложатся.')
  }
  return { name: file.name, format, text }
}

function formatOf(name: string): ImportFormat | null {
  if (/\.json$/i.test(name)) return 'json'
  return /\.(csv|txt|tsv)$/i.test(name) ? 'csv' : null
}

/** UTF-8 knows itself; what is none was saved by an old spreadsheet in Windows-1251, or as UTF-16 with its mark. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}

function sizeOnWire(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length
}
