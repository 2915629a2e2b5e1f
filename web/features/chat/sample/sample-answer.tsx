import { countSymbols, price, priceTerms } from '#contract/billing.ts'
import { ChargeSum } from '#web/ui/charge-sum.tsx'
import { Markdown } from '#web/ui/markdown/markdown.tsx'
import { costTitle } from '../messages/answer-cost.ts'
import { Bubble } from '../messages/bubble.tsx'

const QUESTION = 'Скажи вежливее: «Вы опять не оплатили счёт, сколько ждать?»'

/** Without markup that has styles of its own in a chat: they are not loaded on the sign-in page. */
const ANSWER = `«Здравствуйте! Напоминаем о счёте от 3 марта: оплата пока не поступила. Подскажите, пожалуйста, когда её ждать?»

- **Упрёк** стал напоминанием.
- Появился **вопрос**, на который легко ответить.`

/** A model with the usual price. */
const RATES = { inputRate: 1, outputRate: 1 }

/** An exchange as a chat shows it, with its real price. It works without scripts: the breakdown opens by itself. */
export function SampleAnswer() {
  const [input, output] = [countSymbols(QUESTION), countSymbols(ANSWER)]
  const charged = price(input, output, RATES)
  const sizes = { input, parts: null, output, thought: 0, searchPrice: 0 }
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex items-center gap-3 text-[13px] text-muted after:h-px after:flex-1 after:bg-line">
        Пример: так выглядят ответ и его цена
      </figcaption>
      <div className="flex flex-col items-end">
        <Bubble text={QUESTION} />
      </div>
      <Markdown text={ANSWER} />
      <details className="group self-end text-[13px] text-muted open:w-72 open:max-w-full">
        <summary className="figures ml-auto w-fit list-none rounded-sm px-2 py-1.5 transition-colors hover:bg-hover hover:text-ink group-open:bg-hover max-frame:py-3 [&::-webkit-details-marker]:hidden">
          {costTitle(charged)}
        </summary>
        <div className="mt-2 flex flex-col gap-2 rounded-md border bg-surface p-3">
          <ChargeSum
            charge={{ ...sizes, terms: priceTerms(input, output, RATES), charged, names: ['Вопрос', 'Ответ'] }}
          />
        </div>
      </details>
    </figure>
  )
}
