import type { PromoBatch } from '#contract/promocodes.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { dayOf } from './days.ts'
import { createPromoBatch, type PromoCtx } from './promo-codes.ts'

const HEAD = ['Код', 'Символы', 'Скидка, %', 'Сколько раз', 'Действует с', 'Действует до', 'Только первая покупка']

/** Makes a batch and hands it over as a spreadsheet: the codes themselves are never shown again. */
export async function promoBatchCsv(ctx: PromoCtx, batch: PromoBatch): Promise<Response> {
  const codes = await createPromoBatch(ctx, batch)
  const lines = codes.map(({ code, symbols, discountPercent, maxUses, startsAt, expiresAt, firstPurchaseOnly }) =>
    csvLine([code, symbols, discountPercent, maxUses, startsAt, expiresAt, firstPurchaseOnly ? 'да' : 'нет']),
  )
  return new Response(csvHead(HEAD) + lines.join(''), { headers: csvHeaders(`promocodes-${dayOf(new Date())}`) })
}
