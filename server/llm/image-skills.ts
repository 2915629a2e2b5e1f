import type { ImageSkills } from '#contract/image-skills.ts'
import { imageSizes } from '#contract/image-skills.ts'
import type { Provider } from '#contract/models-admin.ts'

const plain: ImageSkills = {
  changes: false,
  area: false,
  examples: 0,
  sizes: [...imageSizes],
  transparent: false,
  partial: false,
  form: 'images',
  changePrice: null,
}
const changing: ImageSkills = { ...plain, changes: true, examples: 4 }

/** What a model usually can do, by its provider and its name there; the owner may say otherwise. */
export function usualImageSkills(kind: Provider['kind'] | undefined, providerModel: string): ImageSkills {
  if (kind === 'demo') return { ...changing, area: true, partial: true }
  if (kind === 'gemini') return changing
  if (/gpt-image|chatgpt-image/i.test(providerModel))
    return { ...changing, area: true, transparent: true, partial: true }
  if (/dall-e-2/i.test(providerModel)) return { ...changing, area: true, examples: 0, sizes: ['1024x1024'] }
  // Gateways offer these as chat models that answer with images.
  if (/gemini[\w.-]*image/i.test(providerModel)) return { ...changing, form: 'chat' }
  return plain
}
