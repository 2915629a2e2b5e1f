import { LlmError } from './errors.ts'
import type { LlmRequest } from './llm.ts'
import type { Profile } from './profile.ts'

const noImages = () =>
  new LlmError('refused', {
    reason: 'no-images-accepted',
    sentence: 'Эта модель не принимает картинки. Уберите их или выберите другую модель.',
  })

const noTools = () =>
  new LlmError('refused', { reason: 'no-tools', sentence: 'Эта модель не вызывает функции. Выберите другую модель.' })

const noFormat = () =>
  new LlmError('refused', {
    reason: 'no-format',
    sentence: 'Эта модель не отвечает в заданном формате. Выберите другую модель.',
  })

/** Throws for what the provider cannot do at all. */
export function checkSkills(
  {
    takesImages,
    takesFormat,
    tools: form,
  }: Pick<Profile, 'takesImages' | 'takesFormat'> & Partial<Pick<Profile, 'tools'>>,
  { messages, tools, format }: Pick<LlmRequest, 'messages' | 'tools' | 'format'>,
): void {
  if (!takesImages && messages.some(({ images }) => images?.length)) throw noImages()
  if (!form && (tools || messages.some(({ toolCalls }) => toolCalls))) throw noTools()
  if (!takesFormat && format) throw noFormat()
}
