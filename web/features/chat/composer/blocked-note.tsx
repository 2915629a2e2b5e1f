import { MAX_MESSAGE } from '#contract/threads.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import type { BlockedReason } from './send-rules.ts'

interface BlockedNoteProps {
  reason: BlockedReason
  text: string
  modelName: string
  /** A model with vision can be chosen. */
  canChooseSeeing: boolean
}

/** Why the message cannot be sent, and what to do about it. */
export function BlockedNote(props: BlockedNoteProps) {
  return (
    <span role="alert" data-long className="text-warning">
      {blockedText(props)}
    </span>
  )
}

export function blockedText({ reason, text, modelName, canChooseSeeing }: BlockedNoteProps): string {
  switch (reason) {
    case 'empty':
      return ''
    case 'no-model':
      return 'Модель этого чата больше недоступна. Выберите другую.'
    case 'too-long':
      return `Сообщение длиннее ${formatNumber(MAX_MESSAGE)} на ${formatSymbols(text.length - MAX_MESSAGE)}. Сократите его или приложите файлом.`
    case 'draws-only':
      return `Модель «${modelName}» рисует только по описанию. Уберите файлы.`
    case 'blind':
      return canChooseSeeing
        ? `Модель «${modelName}» не видит картинок. Выберите другую или уберите картинку.`
        : 'Ни одна из доступных моделей не видит картинок. Уберите картинку.'
    case 'no-room':
      return `Столько текста в модель «${modelName}» не поместится. Сократите его или выберите другую.`
    case 'upload-failed':
      return 'Повторите загрузку файла или уберите его.'
    case 'uploading':
      return 'Файлы ещё загружаются.'
    case 'unreadable':
      return 'Уберите файл, который не удалось прочитать.'
    case 'reading':
      return 'Файлы ещё читаются.'
  }
}
