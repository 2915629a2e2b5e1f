import { MAX_LIBRARY_FILES } from '#contract/assistants.ts'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { acceptOf, documents, images } from '#web/lib/file-kinds.ts'

/** Photos and scans of papers are read by a model when their owner agrees to the price. */
const accepted = [...documents, ...images]
export const ACCEPT = acceptOf(accepted)

type Candidate = Pick<File, 'name' | 'size'>

export function chooseFiles<Given extends Candidate>(files: readonly Given[], existingCount: number) {
  const rejections = files.flatMap((file) => rejectionReason(file) ?? [])
  const accepted = files.filter((file) => rejectionReason(file) === null)
  const left = Math.max(0, MAX_LIBRARY_FILES - existingCount)
  if (accepted.length > left) rejections.push(`Файлов может быть не больше ${MAX_LIBRARY_FILES}.`)
  return { taken: accepted.slice(0, left), rejections }
}

function rejectionReason({ name, size }: Candidate): string | null {
  if (size === 0) return `Файл «${name}» пустой.`
  if (size > MAX_FILE_BYTES) return `Файл «${name}» больше ${MAX_FILE_BYTES / 1024 / 1024} МБ.`
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return accepted.includes(ending)
    ? null
    : `Файл «${name}» не подойдёт: нужны PDF, документы, таблицы, презентации, книги, тексты или фото.`
}
