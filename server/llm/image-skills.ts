import { type ImageSkills, imageSizes, usualSizes } from '#contract/image-skills.ts'
import type { Provider } from '#contract/models-admin.ts'

const plain: ImageSkills = {
  changes: false,
  area: false,
  examples: 0,
  sizes: [...usualSizes],
  transparent: false,
  partial: false,
  form: 'images',
  changePrice: null,
}
const changing: ImageSkills = { ...plain, changes: true, examples: 4 }
const everyShape: Pick<ImageSkills, 'sizes'> = { sizes: [...imageSizes] }

/** What a model usually can do, by its provider and its name there; the owner may say otherwise. */
export function usualImageSkills(kind: Provider['kind'] | undefined, providerModel: string): ImageSkills {
  if (kind === 'demo') return { ...changing, ...everyShape, area: true, partial: true }
  if (kind === 'gemini') return { ...changing, ...everyShape }
  if (/gpt-image|chatgpt-image/i.test(providerModel))
    return {
      ...changing,
      ...(isFreeInShape(providerModel) && everyShape),
      area: true,
      transparent: true,
      partial: true,
    }
  if (/dall-e-2/i.test(providerModel)) return { ...changing, area: true, examples: 0, sizes: ['1024x1024'] }
  // Gateways offer these as chat models that answer with images.
  if (/gemini[\w.-]*image/i.test(providerModel)) return { ...changing, ...everyShape, form: 'chat' }
  return plain
}

/** From the second generation on any shape between 1:3 and 3:1 is drawn. */
const isFreeInShape = (providerModel: string) => /gpt-image-[2-9]/i.test(providerModel)
