import { type PromoBatch, type PromoCode, type PromoQuery, type PromoState, promoState } from '#contract/promocodes.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { dayOf } from './days.ts'
import { createPromoBatch, type PromoCtx } from './promo-codes.ts'
import { listPromoCodes } from './promo-list.ts'

type Cell = string | number | null
const TERMS = ['Символы', 'Скидка, %', 'Сколько раз', 'Действует с', 'Действует до', 'Только первая покупка']

/** Makes a batch and hands it over as a spreadsheet: the codes themselves are never shown again. */
export async function promoBatchCsv(ctx: PromoCtx, batch: PromoBatch): Promise<Response> {
  const codes = await createPromoBatch(ctx, batch)
  const lines = codes.map((promo) => csvLine([promo.code, ...termCells(promo)]))
  return new Response(csvHead(['Код', ...TERMS]) + lines.join(''), { headers: fileHeaders() })
}

const PAGE = 200
const stateNames: Record<PromoState, string> = {
  live: 'действует',
  waiting: 'ещё не начался',
  ended: 'закончился',
  spent: 'израсходован',
  off: 'выключен',
  deleted: 'выключен насовсем',
}

/** The table as a spreadsheet, with its filters and its order; of a code there is only its end. */
export async function promoTableCsv(ctx: PromoCtx, query: PromoQuery): Promise<Response> {
  const lines: string[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await listPromoCodes(ctx, { ...query, page, size: PAGE })
    lines.push(...items.map(tableLine))
    if (items.length < PAGE || page * PAGE >= total) break
  }
  const head = csvHead(['Конец кода', 'Состояние', ...TERMS, 'Применили', 'Создан'])
  return new Response(head + lines.join(''), { headers: fileHeaders() })
}

function tableLine(promo: PromoCode): string {
  return csvLine([promo.hint, stateNames[promoState(promo)], ...termCells(promo), promo.uses, promo.createdAt])
}

function termCells({ symbols, discountPercent, maxUses, startsAt, expiresAt, firstPurchaseOnly }: PromoCode): Cell[] {
  return [symbols, discountPercent, maxUses, startsAt, expiresAt, firstPurchaseOnly ? 'да' : 'нет']
}

function fileHeaders() {
  return csvHeaders(`promocodes-${dayOf(new Date())}`)
}
