import type { Model } from '#contract/models.ts'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import type { BlockedReason } from './send-rules.ts'

interface BlockedNoteProps {
  reason: BlockedReason
  text: string
  modelName: string
  /** A model that could answer instead; null without one. */
  able: Model | null
}

export function BlockedNote({ onChooseModel, ...why }: BlockedNoteProps & { onChooseModel: (model: Model) => void }) {
  const { able } = why
  return (
    <>
      <span role="alert" data-long className="text-warning">
        {blockedText(why)}
      </span>
      {able && (
        <button type="button" className={chooseStyle} onClick={() => onChooseModel(able)}>
          Выбрать «{able.name}»
        </button>
      )}
    </>
  )
}

const chooseStyle = 'ml-2 rounded-xs text-accent-ink underline underline-offset-4 pointer-coarse:py-2'

export function blockedText({ reason, text, modelName, able }: BlockedNoteProps): string {
  switch (reason) {
    case 'empty':
      return ''
    case 'no-model':
      return 'Модель этого чата больше недоступна. Выберите другую.'
    case 'too-long':
      return `Сообщение длиннее ${formatNumber(MAX_MESSAGE)} на ${formatSymbols(text.length - MAX_MESSAGE)}. Сократите его или приложите файлом.`
    case 'draws-only':
      return `Модель «${modelName}» рисует только по описанию. Уберите файлы.`
    case 'changes-nothing':
      return able
        ? `Модель «${modelName}» не меняет картинки. Выберите другую или уберите картинку.`
        : 'Ни одна из доступных моделей не меняет картинки. Уберите картинку.'
    case 'blind':
      return able
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
    case 'unread-scan':
      return 'В скане нет текста. Прочитайте его или уберите.'
    case 'reading':
      return 'Файлы ещё читаются.'
  }
}
