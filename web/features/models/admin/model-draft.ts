import { type ImageSkills, otherSizes } from '#contract/image-skills.ts'
import type { AdminModel } from '#contract/models.ts'
import { readNumber, readOptionalMoney, readOptionalNumber, writeMoney, writeNumber } from '#web/lib/number-input.ts'

/** What an image model can do. A new model has the usual skills of its name until the owner sets them. */
const newSkills = {
  hasSkills: false,
  changes: true,
  takesArea: false,
  examples: '4',
  square: true,
  wide: true,
  tall: true,
  otherShapes: false,
  transparent: false,
  partial: false,
  answersInChat: false,
  changePrice: '',
}

type SkillFields = typeof newSkills

export type ModelFields = ReturnType<typeof modelFields>

export const newModel: ModelFields = {
  id: '',
  name: '',
  description: '',
  kind: 'text' as string,
  provider: '',
  providerModel: '',
  inputRate: '1',
  outputRate: '1',
  thoughtRate: '0',
  cachedRate: '',
  thinks: false,
  imagePrice: '',
  minutePrice: '',
  speakers: '' as string,
  maxSpeakers: '',
  pagePrice: '',
  contextSymbols: '',
  maxOutputSymbols: '',
  vision: false,
  hidden: false,
  canUseWithAssistant: true,
  fallbackId: '',
  retiresOn: '',
  successorId: '',
  costInput: '',
  costOutput: '',
  costCached: '',
  costCurrency: 'USD',
  ...newSkills,
}

export function modelFields(model: AdminModel) {
  const { id, name, description, provider, providerModel, vision, thinks, hidden, canUseWithAssistant } = model
  const currency = model.costCurrency ?? 'USD'
  return {
    id,
    name,
    description,
    kind: model.kind as string,
    provider,
    providerModel,
    inputRate: writeNumber(model.inputRate),
    outputRate: writeNumber(model.outputRate),
    thoughtRate: writeNumber(model.thoughtRate),
    cachedRate: writeNumber(model.cachedRate),
    thinks,
    imagePrice: writeNumber(model.imagePrice),
    minutePrice: writeNumber(model.minutePrice),
    speakers: (model.speakers ?? '') as string,
    maxSpeakers: writeNumber(model.maxSpeakers ?? null),
    pagePrice: writeNumber(model.pagePrice ?? null),
    contextSymbols: writeNumber(model.contextSymbols),
    maxOutputSymbols: writeNumber(model.maxOutputSymbols),
    vision,
    hidden,
    canUseWithAssistant,
    fallbackId: model.fallbackId ?? '',
    retiresOn: model.retiresOn ?? '',
    successorId: model.successorId ?? '',
    costInput: writeMoney(model.costInput, currency),
    costOutput: writeMoney(model.costOutput, currency),
    costCached: writeMoney(model.costCached, currency),
    costCurrency: currency,
    ...(model.imageSkills ? skillFields(model.imageSkills, model.hasOwnSkills) : newSkills),
  }
}

const skillFields = (skills: ImageSkills, hasSkills = true): SkillFields => ({
  hasSkills,
  changes: skills.changes,
  takesArea: skills.area,
  examples: String(skills.examples),
  square: skills.sizes.includes('1024x1024'),
  wide: skills.sizes.includes('1536x1024'),
  tall: skills.sizes.includes('1024x1536'),
  otherShapes: otherSizes.every((size) => skills.sizes.includes(size)),
  transparent: skills.transparent,
  partial: skills.partial,
  answersInChat: skills.form === 'chat',
  changePrice: writeNumber(skills.changePrice),
})

const readSkills = (fields: SkillFields): ImageSkills => ({
  changes: fields.changes,
  area: fields.takesArea,
  examples: readNumber(fields.examples),
  sizes: [
    ...(fields.square ? (['1024x1024'] as const) : []),
    ...(fields.wide ? (['1536x1024'] as const) : []),
    ...(fields.tall ? (['1024x1536'] as const) : []),
    ...(fields.otherShapes ? otherSizes : []),
    'auto',
  ],
  transparent: fields.transparent,
  partial: fields.partial,
  form: fields.answersInChat ? 'chat' : 'images',
  changePrice: readOptionalNumber(fields.changePrice),
})

/** The stored skills stay the same object when nothing was changed in them. */
export function keepSkills(before: ImageSkills | null, after: ImageSkills | null): ImageSkills | null {
  const text = (skills: ImageSkills | null) => skills && JSON.stringify(skillFields(skills))
  return text(before) === text(after) ? before : after
}

/** Fields that do not apply to the kind are sent as null. */
export function readModel(fields: ModelFields) {
  const { hasSkills, changes, takesArea, examples, square, wide, tall, transparent, ...others } = fields
  const { otherShapes, partial, answersInChat, changePrice, ...draft } = others
  const { kind, costCurrency } = draft
  const isText = kind === 'text'
  const isPricedPerUnit = kind === 'image' || kind === 'transcription'
  const costInput = isPricedPerUnit ? null : readOptionalMoney(draft.costInput, costCurrency)
  const costOutput = kind === 'embedding' ? null : readOptionalMoney(draft.costOutput, costCurrency)
  return {
    ...draft,
    id: draft.id.trim(),
    inputRate: readNumber(draft.inputRate),
    outputRate: readNumber(draft.outputRate),
    thoughtRate: isText ? readNumber(draft.thoughtRate || '0') : 0,
    cachedRate: isText ? readOptionalNumber(draft.cachedRate) : null,
    thinks: isText && draft.thinks,
    imagePrice: kind === 'image' ? readOptionalNumber(draft.imagePrice) : null,
    imageSkills: kind === 'image' && hasSkills ? readSkills(fields) : null,
    minutePrice: kind === 'transcription' ? readOptionalNumber(draft.minutePrice) : null,
    speakers: (kind === 'transcription' && draft.speakers) || null,
    maxSpeakers: kind === 'transcription' && draft.speakers ? readOptionalNumber(draft.maxSpeakers) : null,
    pagePrice: kind === 'scan' ? readOptionalNumber(draft.pagePrice) : null,
    contextSymbols: readOptionalNumber(draft.contextSymbols),
    maxOutputSymbols: readOptionalNumber(draft.maxOutputSymbols),
    fallbackId: draft.fallbackId || null,
    retiresOn: draft.retiresOn || null,
    successorId: draft.successorId || null,
    costInput,
    costOutput,
    costCached: isText ? readOptionalMoney(draft.costCached, costCurrency) : null,
    costCurrency: costInput === null && costOutput === null ? null : costCurrency,
  }
}
