import { queryOptions } from '@tanstack/react-query'
import { type Model, modelsApi } from '#contract/models.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api(modelsApi.list, {}, { signal }),
  staleTime: 5 * 60_000,
})

/** What answers usually cost; without it no such price is shown. */
export const usualCostsQuery = callQuery(
  ['models', 'usual-costs'],
  modelsApi.usualCosts,
  {},
  { staleTime: 10 * 60_000 },
)

/** Visible text models. Admins get the hidden ones in the same list. */
export function textModels<Given extends Model>(models: readonly Given[]): Given[] {
  return models.filter(({ kind, hidden }) => kind === 'text' && !hidden)
}

/** The model a person usually asks: the one from the settings, else the first. */
export function usualModel<Given extends Model>(models: readonly Given[], settingId: string | null): Given | null {
  const visible = textModels(models)
  return visible.find(({ id }) => id === settingId) ?? visible[0] ?? null
}

export const speechModels = (models: readonly Model[]) =>
  models.filter(({ kind, hidden }) => kind === 'transcription' && !hidden)

export const SPEECH_MODEL = 'transcribe:model'

/** The transcription model: the one chosen last in this browser, else the first. */
export function usualSpeechModel(models: readonly Model[]): Model | undefined {
  const visible = speechModels(models)
  const lastId = localStorage.getItem(SPEECH_MODEL)
  return visible.find(({ id }) => id === lastId) ?? visible[0]
}
