import { addressOf } from '#contract/endpoint.ts'
import { type Attachment, filesApi, MAX_FILE_BYTES, MAX_MESSAGE_FILES } from '#contract/files.ts'
import { documents, images } from '#web/lib/file-kinds.ts'
import { formatSymbols, plural } from '#web/lib/format.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'

/** Files that can be attached. The server checks the content of a file itself. */

type Candidate = Pick<File, 'name' | 'size' | 'type'>

interface SortedFiles<Item extends Candidate> {
  taken: Item[]
  /** One sentence for each rejected file. */
  rejections: string[]
}

export function sortFiles<Item extends Candidate>(files: readonly Item[], already: number): SortedFiles<Item> {
  const sorted: SortedFiles<Item> = { taken: [], rejections: [] }
  for (const file of files) {
    const reason = whyNot(file)
    if (reason) sorted.rejections.push(reason)
    else sorted.taken.push(file)
  }
  const free = Math.max(0, MAX_MESSAGE_FILES - already)
  if (sorted.taken.length > free) {
    sorted.taken = sorted.taken.slice(0, free)
    const most = `${MAX_MESSAGE_FILES} ${plural(MAX_MESSAGE_FILES, 'файла', 'файлов', 'файлов')}`
    sorted.rejections.push(`К сообщению можно приложить не больше ${most}.`)
  }
  return sorted
}

function whyNot({ name, size, type }: Candidate): string | null {
  if (size === 0) return `Файл «${name}» пустой.`
  if (size > MAX_FILE_BYTES) return `Файл «${name}» больше ${MAX_FILE_BYTES / 1024 / 1024} МБ.`
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  if (images.includes(ending) || documents.includes(ending) || isImageType(type)) return null
  return `Файл «${name}» не подойдёт: можно картинки, PDF, документы, таблицы, презентации, книги и тексты.`
}

export function looksLikeImage({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return isImageType(type) || images.includes(name.split('.').at(-1)?.toLowerCase() ?? '')
}

const isImageType = (type: string) => /^image\/(png|jpeg|webp|gif)$/.test(type)

/** The size of a document in symbols, which are charged, and of an image in bytes. */
export const fileSize = ({ kind, symbols, bytes }: Pick<Attachment, 'kind' | 'symbols' | 'bytes'>) =>
  kind === 'document' && symbols !== null ? formatSymbols(symbols) : formatBytes(bytes)

export const fileAddress = (id: string) => addressOf(filesApi.content, { params: { id } })
