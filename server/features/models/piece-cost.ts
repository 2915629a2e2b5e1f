import { PIECES_PRICED } from '#contract/models-admin.ts'

interface Priced {
  costOutput: number | null
  costCurrency: string | null
}

/** What pictures or minutes cost the owner; nothing is known where the owner has not said it. */
export function costOfPieces({ costOutput, costCurrency }: Priced, pieces: number) {
  return costOutput === null || costCurrency === null
    ? { cost: null, costCurrency: null }
    : { cost: (costOutput * pieces) / PIECES_PRICED, costCurrency }
}
