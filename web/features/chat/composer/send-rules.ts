import type { Attachment } from '#contract/files.ts'
import type { Model } from '#contract/models.ts'
import { MAX_MESSAGE } from '#contract/threads.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'

interface SendContext {
  text: string
  files: readonly Pick<Attachment, 'kind' | 'state'>[]
  uploads: readonly { error: string | null; isImage: boolean }[]
  model: Pick<Model, 'kind' | 'vision'> | null
  modelName: string
  /** A model with vision can be chosen. */
  canChooseSeeing: boolean
  /** The text does not fit into the context of the model. */
  isTooLong: boolean
}

/** Why a message cannot be sent now: a sentence, '' for an empty message, null when it can be sent. */
export function whyNotSend(context: SendContext): string | null {
  const { text, files, uploads, model, modelName, canChooseSeeing, isTooLong } = context
  const isEmpty = text.trim() === '' && files.length === 0 && uploads.length === 0
  if (!model) return 'Модель этого чата больше недоступна. Выберите другую.'
  if (isEmpty) return ''
  if (text.length > MAX_MESSAGE) return tooLong(text.length - MAX_MESSAGE)
  if (model.kind === 'image' && (files.length > 0 || uploads.length > 0))
    return `Модель «${modelName}» рисует только по описанию. Уберите файлы.`
  if (isBlindToFiles(context))
    return canChooseSeeing
      ? `Модель «${modelName}» не видит картинок. Выберите другую или уберите картинку.`
      : 'Ни одна из доступных моделей не видит картинок. Уберите картинку.'
  if (isTooLong) return `Столько текста в модель «${modelName}» не поместится. Сократите его или выберите другую.`
  return filesBlockedReason(files, uploads)
}

/** An image is attached that the model cannot see. */
export function isBlindToFiles({ files, uploads, model }: Pick<SendContext, 'files' | 'uploads' | 'model'>): boolean {
  const hasImage = files.some(({ kind }) => kind === 'image') || uploads.some(({ isImage }) => isImage)
  return hasImage && model?.kind === 'text' && !model.vision
}

function filesBlockedReason(files: SendContext['files'], uploads: SendContext['uploads']): string | null {
  if (uploads.some(({ error }) => error)) return 'Повторите загрузку файла или уберите его.'
  if (uploads.length > 0) return 'Файлы ещё загружаются.'
  if (files.some(({ state }) => state === 'failed')) return 'Уберите файл, который не удалось прочитать.'
  return files.some(({ state }) => state !== 'ready') ? 'Файлы ещё читаются.' : null
}

function tooLong(over: number): string {
  return `Сообщение длиннее ${formatNumber(MAX_MESSAGE)} на ${formatSymbols(over)}. Сократите его или приложите файлом.`
}

interface Key {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  isComposing: boolean
  /** Safari reports 229 while an input method confirms a word. */
  keyCode: number
}

/** Whether a key sends the message. Enter that confirms a composed word does not. */
export function isSendKey(
  { key, shiftKey, ctrlKey, metaKey, isComposing, keyCode }: Key,
  { enterSends, isTouch }: { enterSends: boolean; isTouch: boolean },
): boolean {
  if (key !== 'Enter' || isComposing || keyCode === 229) return false
  if (ctrlKey || metaKey) return true
  if (isTouch) return false
  return shiftKey !== enterSends
}
