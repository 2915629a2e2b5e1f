import type { Model } from '#contract/models.ts'

/** The models an assistant may have: not hidden, for talking, and allowed for this. */
export function assistantModels<Given extends Pick<Model, 'hidden' | 'kind' | 'canUseWithAssistant'>>(
  models: readonly Given[],
): Given[] {
  return models.filter(({ hidden, kind, canUseWithAssistant }) => !hidden && kind === 'text' && canUseWithAssistant)
}
