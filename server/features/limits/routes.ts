import { MAX_ASSISTANTS } from '#contract/assistants.ts'
import { FREE_STOPS } from '#contract/billing.ts'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import { type LimitRule, type LimitTables, limitsApi } from '#contract/limits.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { type LimitName, type LimitRow, limitTable, type TotalName, totalTable } from '#server/http/limit-table.ts'
import { rejectionsOf, rejectionsSince } from '#server/http/limits.ts'
import { type App, route } from '#server/http/route.ts'
import { MAX_AT_ONCE } from '../answers/begin.ts'

export function limitRoutes(app: App, settings: LimitSettings, freeSymbols: number | undefined) {
  route(app, limitsApi.list, () => describeLimits(settings, freeSymbols))
}

function describeLimits({ rows, totals }: LimitSettings, freeSymbols: number | undefined): LimitTables {
  return {
    rates: (Object.entries(rows) as [LimitName, LimitRow][]).map(([name, { title, per, points, seconds, isLocal }]) => {
      const { points: usualPoints, seconds: usualSeconds } = limitTable[name]
      const isUsual = points === usualPoints && seconds === usualSeconds
      return {
        ...{ name, title, per, points, seconds },
        isLocal: isLocal ?? false,
        usual: isUsual ? null : { points: usualPoints, seconds: usualSeconds },
        refused: rejectionsOf(name),
      }
    }),
    totals: (Object.entries(totals) as [TotalName, number][]).map(([name, most]) => {
      const { title, per, most: usual } = totalTable[name]
      return { name, title, per, most, usual: most === usual ? null : usual, refused: rejectionsOf(name) }
    }),
    rules: rulesOf(freeSymbols),
    since: rejectionsSince().toISOString(),
  }
}

function rulesOf(freeSymbols: number | undefined): LimitRule[] {
  const rule = (name: string, title: string, most: number, setting: string | null = null) => ({
    ...{ name, title, most, setting },
  })
  return [
    rule('free-stops', 'Бесплатные остановки до первого слова и до готовой картинки, за день', FREE_STOPS),
    ...(freeSymbols === undefined
      ? []
      : [rule('embedding', 'Символы файлов ассистентов, бесплатно за месяц', freeSymbols, 'EMBEDDING_FREE_SYMBOLS')]),
    rule('answers', 'Ответы, которые пишутся одновременно', MAX_AT_ONCE),
    rule('images-at-once', 'Картинки, которые рисуются одновременно', MAX_IMAGES_AT_ONCE),
    rule('assistants-kept', 'Ассистенты', MAX_ASSISTANTS),
  ]
}
