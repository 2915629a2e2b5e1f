import { IMAGES_PRICED } from '#contract/models-admin.ts'

interface Priced {
  costOutput: number | null
  costCurrency: string | null
}

/** What pictures or minutes cost the owner; nothing is known where the owner has not said it. */
export function costOfImages({ costOutput, costCurrency }: Priced, pieces: number) {
  return costOutput === null || costCurrency === null
    ? { cost: null, costCurrency: null }
    : { cost: (costOutput * pieces) / IMAGES_PRICED, costCurrency }
}
