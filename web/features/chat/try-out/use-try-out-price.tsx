import { useQuery } from '@tanstack/react-query'
import { countSymbols } from '#contract/billing.ts'
import { modelsQuery, usualCostsQuery, usualModel } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { maySpend } from '#web/lib/spend-rule.ts'
import { estimate, mostNamed, thoughtPrice, usualAnswer } from '../composer/estimate.ts'
import { AddedHint, EstimatedPrice } from '../composer/estimated-price.tsx'
import { type Tested, type Turn, toTryMessages } from './use-try-out.ts'

interface Options {
  tested: Tested
  passages: number
  turns: readonly Turn[]
  ask: (text: string) => Promise<void>
}

/** The price of a question of a try-out, by the same rules as in a chat; the person's own instructions stay out. */
export function useTryOutPrice({ tested, passages, turns, ask }: Options) {
  const { data: models = [] } = useQuery(modelsQuery)
  const { data: costs } = useQuery(usualCostsQuery)
  const { data: profile } = useProfile()
  const model =
    models.find(({ id }) => id === tested.modelId) ?? usualModel(models, profile?.Settings.threadModel ?? null)
  const added = { instructions: countSymbols(tested.instructions), passages }
  const history = toTryMessages(turns, '').slice(0, -1)

  const costOf = (text: string) =>
    model &&
    estimate(
      history.map(({ content }) => countSymbols(content)),
      text,
      [],
      model,
      added,
    )

  function mostOf(text: string): number | null {
    const cost = costOf(text)
    if (!cost || !model) return null
    const [usual, thought] = [usualAnswer(costs, model), thoughtPrice(model, 'usual')]
    return mostNamed({ symbols: cost.symbols, web: null, usual, thought })
  }

  return {
    priceOf: (text: string) => {
      const cost = costOf(text)
      if (!cost || !model || !profile) return null
      if (text.trim() === '')
        return (
          added.instructions + passages > 0 && (
            <AddedHint added={added} symbols={estimate([], '', [], model, added).symbols} />
          )
        )
      return (
        <EstimatedPrice isEmpty={false} cost={cost} model={model} added={added} thinking="usual" profile={profile} />
      )
    },
    /** A question that may take more than half of the balance is confirmed first; false when the person declines. */
    askIfPaid: async (text: string): Promise<boolean> => {
      const spending = { what: 'Этот вопрос', action: 'Спросить', most: mostOf(text) }
      const agrees = await maySpend(profile?.SingleSubscription, spending)
      if (agrees) void ask(text)
      return agrees
    },
  }
}
