import type { AdminModel } from '#contract/models.ts'
import { readNumber, readOptionalMoney, readOptionalNumber, writeMoney, writeNumber } from '#web/lib/number-input.ts'

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
  }
}

/** Fields that do not apply to the kind are sent as null. */
export function readModel(draft: ModelFields) {
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
