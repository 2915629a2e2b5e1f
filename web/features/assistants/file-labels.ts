import type { AssistantFile, EmbeddingAllowance } from '#contract/assistants.ts'
import { pagesLabel } from '#web/features/scans/queries.ts'
import { formatSymbols, plural } from '#web/lib/format.ts'
import { isProcessing } from './queries.ts'

type File = Pick<AssistantFile, 'state' | 'progress' | 'error' | 'symbols' | 'price' | 'scan'>

export function fileState({ state, progress, error, symbols, price, scan }: File): string {
  const unread = scan ? scan.pages - scan.read : 0
  switch (state) {
    case 'uploaded':
      return 'Ждёт чтения'
    case 'reading':
      return 'Читается…'
    case 'indexing':
      return `Индексируется, ${progress} %`
    case 'failed':
      return scan ? `Это скан: ${pagesLabel(scan.pages)}.` : (error ?? 'Не удалось прочитать')
    case 'ready':
      if (price) return unpaidLabel(price)
      return [
        symbols === null ? 'Готов' : `Готов · ${formatSymbols(symbols)}`,
        unread > 0 && `без текста ${pagesLabel(unread)}`,
      ]
        .filter(Boolean)
        .join(' · ')
  }
}

/** «3 файла», «3 файла, 1 читается», «3 файла, 1 не прочитан»; null when there are none. */
export function filesSummary(files: readonly Pick<File, 'state'>[], uploading: number): string | null {
  const count = files.length + uploading
  if (count === 0) return null
  const all = `${count} ${plural(count, 'файл', 'файла', 'файлов')}`
  const failed = files.filter(({ state }) => state === 'failed').length
  if (failed > 0) return `${all}, ${failed} ${plural(failed, 'не прочитан', 'не прочитаны', 'не прочитаны')}`
  if (uploading > 0) return `${all}, ${uploading} ${plural(uploading, 'загружается', 'загружаются', 'загружаются')}`
  const reading = files.filter(isProcessing).length
  return reading > 0 ? `${all}, ${reading} ${plural(reading, 'читается', 'читаются', 'читаются')}` : all
}

const unpaidLabel = (price: number) =>
  `Готов, находится по словам. Бесплатного объёма на этот месяц для него не хватает: поиск по смыслу будет стоить ≈ ${formatSymbols(price)}`

/** «Бесплатно в этом месяце: ещё 4 200 000 символов файлов.» */
export function allowanceLabel({ left }: Pick<EmbeddingAllowance, 'left'>): string {
  return left > 0
    ? `В этом месяце бесплатно прочитается ещё ${formatSymbols(left)} файлов.`
    : 'Бесплатный объём файлов на этот месяц закончился: новые находятся по словам, а за поиск по смыслу назовём цену.'
}
