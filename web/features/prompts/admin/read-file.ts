import type { ImportFormat } from '#contract/prompts-admin.ts'

/** The limit of one request, minus space for the JSON around it. */
export const MAX_FILE_BYTES = 1_000_000

export interface ChosenFile {
  name: string
  format: ImportFormat
  text: string
}

/** Rejects with a message for the user. */
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

/** Invalid UTF-8 is read as UTF-16 with a byte order mark, or as Windows-1251, which old spreadsheets write. */
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
