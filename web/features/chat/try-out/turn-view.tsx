import type { InputParts } from '#contract/threads.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { LazyMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { CitedAnswer } from '../citations/cited-answer.tsx'
import { Thinking } from '../messages/thinking.tsx'
import type { Turn } from './use-try-out.ts'

export function TurnView({ turn }: { turn: Turn }) {
  const { question, answer, tried, error, note, isWriting } = turn
  return (
    <li className="flex flex-col gap-3">
      <p className="ml-auto max-w-[85%] rounded-lg bg-accent-soft px-3.5 py-2 whitespace-pre-wrap wrap-anywhere">
        {question}
      </p>
      {answer !== '' && (
        <div className="wrap-anywhere">
          <CitedAnswer text={answer} citations={tried?.citations ?? []} isStreaming={isWriting}>
            <LazyMarkdown text={answer} isStreaming={isWriting} />
          </CitedAnswer>
        </div>
      )}
      {isWriting && answer === '' && <Thinking />}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {note && <p className="text-sm text-pretty text-muted">{note}</p>}
      {tried && <p className="figures text-[13px] text-muted">{chargedLabel(tried.charged, tried.parts)}</p>}
    </li>
  )
}

/** «Списано 1 420 символов: инструкции 800, выдержки 320». */
function chargedLabel(charged: number, { instructions, passages }: InputParts): string {
  const parts = [
    instructions > 0 && `инструкции ${formatNumber(instructions)}`,
    passages > 0 && `выдержки из файлов ${formatNumber(passages)}`,
  ].filter(Boolean)
  const total = charged === 0 ? 'Бесплатно' : `Списано ${formatSymbols(charged)}`
  return parts.length > 0 ? `${total}, в вопросе ${parts.join(' и ')}` : total
}
