import { expect, test } from 'vitest'
import { otherSizes } from '#contract/image-skills.ts'
import { ModelDraft } from '#contract/models-admin.ts'
import { aChangingModel, anAdminModel } from '#web/testing/samples.ts'
import { modelFields, newModel, readModel } from './model-draft.ts'

const model = anAdminModel({
  id: 'fast',
  inputRate: 0.5,
  outputRate: 2.5,
  vision: true,
  position: 4,
  fallbackId: 'demo',
  costInput: 40,
  costOutput: 160,
  costCurrency: 'USD',
})

test('a model is unchanged after a round trip through its form', () => {
  const { position: _, country: _computed, hasOwnSkills: __, ...fields } = model
  expect(readModel(modelFields(model))).toEqual(fields)
})

test('empty fields are null, and the currency needs a cost', () => {
  const body = readModel({ ...newModel, id: 'a', name: 'А', provider: 'p', providerModel: 'm' })
  expect(ModelDraft.parse(body)).toMatchObject({ contextSymbols: null, fallbackId: null, costInput: null })
  expect(body.costCurrency).toBeNull()
})

test('only text models have thinking and cached input (S10.379)', () => {
  const draft = { ...newModel, thinks: true, thoughtRate: '0,5', cachedRate: '0,25', costCached: '0,1' }
  expect(readModel(draft)).toMatchObject({ thinks: true, thoughtRate: 0.5, cachedRate: 0.25, costCached: 10 })
  expect(readModel({ ...draft, thoughtRate: '', cachedRate: '' })).toMatchObject({ thoughtRate: 0, cachedRate: null })
  expect(readModel({ ...draft, kind: 'image' })).toMatchObject({
    thinks: false,
    thoughtRate: 0,
    cachedRate: null,
    costCached: null,
  })
})

test('only image models have a price per image', () => {
  const draft = { ...newModel, imagePrice: '5 000', minutePrice: '400' }
  expect(readModel({ ...draft, kind: 'image' })).toMatchObject({ imagePrice: 5000, minutePrice: null })
  expect(readModel(draft)).toMatchObject({ imagePrice: null, minutePrice: null })
})

test('only transcription models tell who spoke', () => {
  const draft = { ...newModel, speakers: 'segments', maxSpeakers: '4' }
  expect(readModel({ ...draft, kind: 'transcription' })).toMatchObject({ speakers: 'segments', maxSpeakers: 4 })
  expect(readModel({ ...draft, kind: 'transcription', speakers: '' })).toMatchObject({
    speakers: null,
    maxSpeakers: null,
  })
  expect(readModel(draft)).toMatchObject({ speakers: null, maxSpeakers: null })
})

test('images and recordings have an output cost, embeddings an input cost', () => {
  const draft = { ...newModel, costInput: '1', costOutput: '42,5' }
  expect(readModel({ ...draft, kind: 'image' })).toMatchObject({ costInput: null, costOutput: 4250 })
  expect(readModel({ ...draft, kind: 'transcription' })).toMatchObject({ costInput: null, costOutput: 4250 })
  expect(readModel({ ...draft, kind: 'embedding' })).toMatchObject({ costInput: 100, costOutput: null })
})

test('an invalid value is an error of its field', () => {
  const draft = {
    ...modelFields(model),
    inputRate: 'дорого',
    costInput: '0,405',
    contextSymbols: '1,5',
    id: 'Не номер',
  }
  const { error } = ModelDraft.safeParse(readModel(draft))
  expect(error?.issues.map(({ path }) => path[0]).sort()).toEqual(['contextSymbols', 'costInput', 'id', 'inputRate'])
})

test('usual skills of an image model are shown and not stored (S10.840)', () => {
  const { imageSkills } = aChangingModel({ sizes: ['1024x1024', ...otherSizes, 'auto'] })
  const usual = modelFields(anAdminModel({ kind: 'image', imageSkills, hasOwnSkills: false }))
  expect(usual).toMatchObject({ hasSkills: false, changes: true, otherShapes: true, wide: false })
  expect(readModel(usual).imageSkills).toBeNull()
  const own = modelFields(anAdminModel({ kind: 'image', imageSkills, hasOwnSkills: true }))
  expect(readModel(own).imageSkills).toEqual(imageSkills)
})
